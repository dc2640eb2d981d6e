import { type ControllerAliases, unknownController } from '../../src/client/is-controller-enabled.ts';
import { CONTROLLERS } from './controllers.ts';

/** Older names, which flags still take: cmd/kube-controller-manager/names KCMControllerAliases */
export const ALIASES: ControllerAliases = {
  'serviceaccount-token': 'serviceaccount-token-controller',
  endpoint: 'endpoints-controller',
  endpointslice: 'endpointslice-controller',
  endpointslicemirroring: 'endpointslice-mirroring-controller',
  replicationcontroller: 'replicationcontroller-controller',
  podgc: 'pod-garbage-collector-controller',
  resourcequota: 'resourcequota-controller',
  namespace: 'namespace-controller',
  serviceaccount: 'serviceaccount-controller',
  garbagecollector: 'garbage-collector-controller',
  daemonset: 'daemonset-controller',
  job: 'job-controller',
  deployment: 'deployment-controller',
  replicaset: 'replicaset-controller',
  horizontalpodautoscaling: 'horizontal-pod-autoscaler-controller',
  disruption: 'disruption-controller',
  statefulset: 'statefulset-controller',
  cronjob: 'cronjob-controller',
  csrsigning: 'certificatesigningrequest-signing-controller',
  csrapproving: 'certificatesigningrequest-approving-controller',
  csrcleaner: 'certificatesigningrequest-cleaner-controller',
  ttl: 'ttl-controller',
  bootstrapsigner: 'bootstrap-signer-controller',
  tokencleaner: 'token-cleaner-controller',
  nodeipam: 'node-ipam-controller',
  nodelifecycle: 'node-lifecycle-controller',
  'persistentvolume-binder': 'persistentvolume-binder-controller',
  attachdetach: 'persistentvolume-attach-detach-controller',
  'persistentvolume-expander': 'persistentvolume-expander-controller',
  'clusterrole-aggregation': 'clusterrole-aggregation-controller',
  'pvc-protection': 'persistentvolumeclaim-protection-controller',
  'pv-protection': 'persistentvolume-protection-controller',
  'ttl-after-finished': 'ttl-after-finished-controller',
  'root-ca-cert-publisher': 'root-ca-certificate-publisher-controller',
  'ephemeral-volume': 'ephemeral-volume-controller',
  'resource-claim-controller': 'resourceclaim-controller',
  'legacy-service-account-token-cleaner': 'legacy-serviceaccount-token-cleaner-controller',
  service: 'service-lb-controller',
  route: 'node-route-controller',
  'cloud-node-lifecycle': 'cloud-node-lifecycle-controller',
};

/** Controllers of the real process that are off by default, or need a cloud; here they do not exist. */
const NOT_HERE: readonly string[] = [
  'bootstrap-signer-controller',
  'token-cleaner-controller',
  'service-lb-controller',
  'node-route-controller',
  'cloud-node-lifecycle-controller',
  'selinux-warning-controller',
  'storageversion-garbage-collector-controller',
  'storage-version-migrator-controller',
  'device-taint-eviction-controller',
  'podcertificaterequest-cleaner-controller',
  'kube-apiserver-serving-clustertrustbundle-publisher-controller',
];

const KNOWN: ReadonlySet<string> = new Set([...CONTROLLERS.keys(), ...NOT_HERE]);

/** What is wrong with flag `--controllers`, in the words of the real process; undefined when nothing is. cmd/kube-controller-manager/app/options Validate */
export function problemWithControllers(controllers: readonly string[]): string | undefined {
  const unknown = unknownController(controllers, { known: KNOWN, aliases: ALIASES });
  return unknown === undefined ? undefined : `"${unknown}" is not in the list of known controllers`;
}
