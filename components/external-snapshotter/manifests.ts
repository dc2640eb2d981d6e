import type { PolicyRule } from '../../src/api/kinds/rbac-v1.ts';
import { customresourcedefinitions, deployments, rolebindings, roles } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { installAccount, unlessThere } from '../../src/client/install.ts';
import { SNAPSHOT_GROUP, volumesnapshotclasses } from '../../src/client/volume-snapshot.ts';
import { DEFINITIONS } from './definitions.ts';
import { DEFAULT_CLASS } from './names.ts';

/** The image whose program is snapshot-controller, whoever runs it. */
export const SNAPSHOT_CONTROLLER_IMAGE = 'registry.k8s.io/sig-storage/snapshot-controller';
const VERSION = 'v8.3.0';
const PLACE = { namespace: 'kube-system', name: 'snapshot-controller' };
const READ = ['get', 'list', 'watch'];
const EVENTS: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['list', 'watch', 'create', 'update', 'patch'] };
const CLASSES: PolicyRule = { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshotclasses'], verbs: READ };

/** deploy/kubernetes/snapshot-controller/rbac-snapshot-controller.yaml */
const CONTROLLER_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['persistentvolumes'], verbs: READ },
  { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: [...READ, 'update'] },
  EVENTS,
  CLASSES,
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshotcontents'], verbs: ['create', ...READ, 'update', 'delete', 'patch'] },
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshotcontents/status'], verbs: ['patch'] },
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshots'], verbs: ['create', ...READ, 'update', 'patch', 'delete'] },
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshots/status'], verbs: ['update', 'patch'] },
];

/** What the sidecar of a driver may do: deploy/kubernetes/csi-snapshotter/rbac-csi-snapshotter.yaml, with the secrets that classes name. */
export const CSI_SNAPSHOTTER_RULES: readonly PolicyRule[] = [
  EVENTS,
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] },
  CLASSES,
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshotcontents'], verbs: [...READ, 'update', 'patch'] },
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshotcontents/status'], verbs: ['update', 'patch'] },
];

/** What external-provisioner has to read to make volumes of snapshots. */
export const RESTORE_RULES: readonly PolicyRule[] = [
  { apiGroups: [SNAPSHOT_GROUP], resources: ['volumesnapshots', 'volumesnapshotcontents'], verbs: ['get', 'list'] },
];

const LEASES = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'watch', 'list', 'delete', 'update', 'create'] };
const labels = { 'app.kubernetes.io/name': 'snapshot-controller' };

/** Creates the definitions, and the controller that a cluster has once: deploy/kubernetes/snapshot-controller. What is there already stays. */
export async function installSnapshotController(client: Client): Promise<void> {
  for (const each of DEFINITIONS) await unlessThere(client.resource(customresourcedefinitions).create(each));
  await installAccount(client, { account: PLACE.name, role: 'snapshot-controller-runner', rules: CONTROLLER_RULES });
  const election = { namespace: PLACE.namespace, name: 'snapshot-controller-leaderelection' };
  await unlessThere(client.resource(roles).create({ metadata: election, rules: [LEASES] }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: election.name };
  const subjects = [{ kind: 'ServiceAccount', ...PLACE }];
  await unlessThere(client.resource(rolebindings).create({ metadata: election, roleRef, subjects }));
  const container = {
    name: PLACE.name,
    image: `${SNAPSHOT_CONTROLLER_IMAGE}:${VERSION}`,
    imagePullPolicy: 'IfNotPresent',
    args: ['--v=5', '--leader-election=true'],
  };
  const spec = {
    replicas: 2,
    selector: { matchLabels: labels },
    minReadySeconds: 35,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    template: { metadata: { labels }, spec: { serviceAccountName: PLACE.name, containers: [container] } },
  };
  await unlessThere(client.resource(deployments).create({ metadata: { ...PLACE, labels }, spec }));
}

/** The class that snapshots of a driver's volumes get which name none. */
export async function installDefaultSnapshotClass(client: Client, { name, driver }: { name: string; driver: string }): Promise<void> {
  const metadata = { name, annotations: { [DEFAULT_CLASS]: 'true' } };
  await unlessThere(client.resource(volumesnapshotclasses).create({ metadata, driver, deletionPolicy: 'Delete' }));
}
