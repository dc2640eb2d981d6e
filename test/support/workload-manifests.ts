interface Workload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  readonly name: string;
  /** Not for a DaemonSet. */
  readonly replicas?: number;
  readonly priorityClass?: string;
}

export function workloadManifest({ kind, name, replicas, priorityClass }: Workload): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}}
spec:${replicas === undefined ? '' : `\n  replicas: ${replicas}`}${kind === 'StatefulSet' ? `\n  serviceName: ${name}` : ''}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      terminationGracePeriodSeconds: 5${priorityClass === undefined ? '' : `\n      priorityClassName: ${priorityClass}`}
      containers: [{name: main, image: 'nginx:1.27', ports: [{containerPort: 80}]}]
`;
}

export function serviceManifest({ name, headless }: { readonly name: string; readonly headless: boolean }): string {
  return `apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec:
  selector: {app: ${name}}${headless ? '\n  clusterIP: None' : ''}
  ports: [{port: 80}]
`;
}

interface Batch {
  readonly name: string;
  readonly completions: number;
  readonly restartPolicy: 'Never' | 'OnFailure';
  /** Each of its containers fails twice before it succeeds. */
  readonly flaky?: boolean;
}

const FLAKY = 'n=$(cat /data/n || echo 0); echo $((n+1)) > /data/n; test $n -ge 2 || exit 1; sleep 4';

/** A Job whose pods each take a few seconds. */
export function jobManifest({ name, completions, restartPolicy, flaky = false }: Batch): string {
  const container = flaky
    ? `{name: main, image: 'busybox:1.36', command: [sh, -c, '${FLAKY}'], volumeMounts: [{name: data, mountPath: /data}]}`
    : `{name: main, image: 'busybox:1.36', command: [sh, -c, sleep 4]}`;
  return `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec:
  completions: ${completions}
  parallelism: 2
  backoffLimit: 50
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      restartPolicy: ${restartPolicy}
      containers: [${container}]${flaky ? '\n      volumes: [{name: data, emptyDir: {}}]' : ''}
`;
}

interface PodByHand {
  readonly name: string;
  /** The node that it is given to without the scheduler. */
  readonly node: string;
  readonly image?: string;
  readonly cpu?: string;
  readonly hostPort?: number;
  readonly priorityClass?: string;
}

/** A pod without an owner. */
export function podManifest({ name, node, image = 'nginx:1.27', cpu = '0', hostPort, priorityClass }: PodByHand): string {
  return `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  nodeName: ${node}${priorityClass === undefined ? '' : `\n  priorityClassName: ${priorityClass}`}
  containers:
    - name: main
      image: ${image}
      resources: {requests: {cpu: '${cpu}'}}${hostPort === undefined ? '' : `\n      ports: [{containerPort: 80, hostPort: ${hostPort}}]`}
`;
}
