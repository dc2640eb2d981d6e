/** Steps of transcripts that differ: reason, case, numbers. */
export const KUBECTL_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'a step before it takes a shell, and is left out': {
    'apply-basic': [12],
    'apply-prune': [3, 4, 5, 6],
    'delete': [3, 5, 7, 12],
    'describe-not-found': [10],
    'get-chunks': [2, 3, 4],
    'replace': [6],
  },
  'kustomize is not offered': {
    'apply-kustomize': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  },
  'what an old server would say is not tried': {
    'autoscale': [4],
  },
  'there is one cluster, and no kubeconfig file': {
    'cluster-info-version': [5, 6],
    'config': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
  },
  'cp is not offered': {
    'cp': [3, 4, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16],
  },
  'broken manifests are told of with line and column, not in the words of Go; a key that comes twice is refused': {
    'create-files': [20],
    'mistakes-fields': [9],
    'mistakes-yaml': [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 21],
    'patch': [12],
  },
  'two objects that are printed are not parted by ---': {
    'create-generators-workloads': [9],
  },
  'that the server does not know the kind of patch is said in the words of the server': {
    'custom-resource': [21],
  },
  'how far things have come depends on how fast commands follow each other': {
    'delete-cascade': [8],
    'delete-namespace': [12],
    'scale': [9],
  },
  'edit is not offered, and what it would have changed is missing': {
    'edit': [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
  },
  'manifests are sent as they are written, not with sorted keys': {
    'mistakes-fields': [2, 15, 21],
  },
  'a patch with an unknown field counts as a change': {
    'patch': [15],
  },
  'port-forward is not offered': {
    'port-forward': [17, 18, 19, 20, 21, 22, 23, 24],
  },
  'only get has --raw': {
    'replace': [14],
  },
};
