import type { V1Condition, V1ObjectMeta, V1OwnerReference } from '@kubernetes/client-node';

/** Where Databases are in the API: a custom resource of ../databases.yaml. */
export const DATABASES = { group: 'example.com', version: 'v1', plural: 'databases' } as const;
const KIND = 'Database';

/** How far a Database is. */
export interface DatabaseStatus {
  phase?: 'Creating' | 'Ready' | 'Updating' | 'Deleting';
  endpoint?: string;
  observedGeneration?: number;
  readyReplicas?: number;
  conditions?: Condition[];
}

/** Custom objects come as they are, so times are text. */
type Condition = Omit<V1Condition, 'lastTransitionTime'> & { lastTransitionTime: string };

export interface Database {
  apiVersion: string;
  kind: string;
  metadata: V1ObjectMeta & { name: string; namespace: string; uid: string };
  spec: { engine: 'mysql' | 'postgresql'; version: string; storageSize: string; replicas?: number };
  status?: DatabaseStatus;
}

export const labelsOf = ({ metadata }: Database): Record<string, string> => ({
  'app.kubernetes.io/name': 'database',
  'app.kubernetes.io/instance': metadata.name,
});

/** What makes the Database the owner: the garbage collector deletes what it owned. */
export const ownerOf = ({ metadata }: Database): V1OwnerReference => ({
  apiVersion: `${DATABASES.group}/${DATABASES.version}`,
  kind: KIND,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** The condition Ready; its time changes with its status only. */
export function readyCondition({ metadata, status }: Database, ready: boolean, readyReplicas: number): Condition {
  const before = status?.conditions?.find(({ type }) => type === 'Ready');
  const state = ready ? 'True' : 'False';
  const now = new Date().toISOString().replace(/\.\d+/, '');
  return {
    type: 'Ready',
    status: state,
    reason: ready ? 'AllReplicasReady' : 'Progressing',
    message: ready ? `${readyReplicas} replicas are ready` : 'waiting for replicas',
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: before?.status === state ? before.lastTransitionTime : now,
  };
}
