import { deepEqual } from '../../api/deep-equal.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { TraceEntry } from '../../sim/trace.ts';
import { field, isJsonObject, listField } from './field.ts';
import { kindOf } from './kind-of.ts';
import { entryAt, type RunView, readWrite, type WriteEntry } from './run-view.ts';
import { isPerson, requestBehind } from './who.ts';

/** Kept by components for themselves: heartbeats and the diary. */
const HEARTBEAT_KINDS = new Set(['Lease', 'Event']);
/** What a cluster brings along: of interest only when a person writes it. */
const FURNITURE = new Set([
  'APIService',
  'ClusterRole',
  'ClusterRoleBinding',
  'CSINode',
  'FlowSchema',
  'IPAddress',
  'LeaseCandidate',
  'PriorityClass',
  'PriorityLevelConfiguration',
  'Role',
  'RoleBinding',
  'ServiceAccount',
  'ServiceCIDR',
]);
const FURNITURE_OBJECTS = new Set([
  'ConfigMap kube-root-ca.crt',
  'ConfigMap kube-apiserver-legacy-service-account-token-tracking',
  'ConfigMap extension-apiserver-authentication',
  'Endpoints kubernetes',
  'EndpointSlice kubernetes',
  'Namespace default',
  'Namespace kube-node-lease',
  'Namespace kube-public',
  'Namespace kube-system',
  'Service kubernetes',
]);

/** Heartbeats and event recording: hidden from the story, whoever they are from. */
export function isHeartbeat(object: { readonly group?: string; readonly resource?: string; readonly kind?: string }): boolean {
  return HEARTBEAT_KINDS.has(kindOf(object));
}

/** Objects that every cluster has before anyone does anything. */
export function isFurniture(object: { readonly kind?: string; readonly name?: string | undefined }): boolean {
  const { kind = '', name = '' } = object;
  return FURNITURE.has(kind) || FURNITURE_OBJECTS.has(`${kind} ${name}`);
}

/** A write that tells a learner nothing. */
export function isNoisyWrite(run: RunView, write: WriteEntry): boolean {
  if (isHeartbeat(write.object)) return true;
  if (isFurniture(write.object) && (write.user.startsWith('system:') || !isPerson(requestBehind(run, write)?.actor ?? ''))) return true;
  return write.object.kind === 'Node' && write.verb === 'update' && isNodeHeartbeat(run, write);
}

/** A Node status in which nothing but the time of the last heartbeat is new. */
function isNodeHeartbeat(run: RunView, write: WriteEntry): boolean {
  const { before, after } = readWrite(run, write);
  if (!before || !after) return false;
  return deepEqual(withoutHeartbeat(before), withoutHeartbeat(after));
}

/** A Node without what changes with every heartbeat; any other object as it is. */
export function withoutHeartbeat(node: KubernetesObject): KubernetesObject {
  if (node.kind !== 'Node') return node;
  const conditions = listField(node, 'status', 'conditions').map((condition) => ({ ...condition, lastHeartbeatTime: '' }));
  const { resourceVersion: _, managedFields: __, ...metadata } = node.metadata;
  const status = field(node, 'status');
  return { ...node, metadata, ...{ status: { ...(isJsonObject(status) ? status : {}), conditions } } };
}

/** Faults come in as inputs; what the fault itself then says of it is the same words again. */
export function isEcho(run: RunView, entry: TraceEntry): boolean {
  if (entry.kind !== 'fault') return false;
  const cause = entryAt(run, entry.cause);
  return cause?.kind === 'input' && cause.text === entry.message;
}
