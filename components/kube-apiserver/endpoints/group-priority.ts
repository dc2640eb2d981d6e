/** groupPriorityMinimum of the built-in groups. pkg/controlplane/apiserver.DefaultGenericAPIServicePriorities and cmd/kube-apiserver/app aggregator */
const PRIORITIES: Readonly<Record<string, number>> = {
  '': 18_000,
  'apiregistration.k8s.io': 20_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'admissionregistration.k8s.io': 16_700,
  'apiextensions.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'resource.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
};
const UNKNOWN = 1_000;

/** How early a group comes in discovery: higher first. */
export function groupPriority(group: string): number {
  return PRIORITIES[group] ?? UNKNOWN;
}
