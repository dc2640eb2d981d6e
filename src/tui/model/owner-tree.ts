import type { KubernetesObject } from '../../api/object.ts';
import { isFurniture, isHeartbeat } from './noise.ts';

/** One object in the tree of owners. */
export interface TreeRow {
  readonly key: string;
  readonly object: KubernetesObject;
  readonly depth: number;
  /** For each level from the root on, whether a sibling follows below; draws the guides. */
  readonly follows: readonly boolean[];
  /** How many rows below it are hidden. */
  readonly hidden?: number;
}

/** Roots stand in this order; kinds that are not named come before Nodes. */
const ROOT_ORDER = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Job',
  'ReplicaSet',
  'ReplicationController',
  'Pod',
  'HorizontalPodAutoscaler',
  'Service',
  'EndpointSlice',
  'Ingress',
];
const NAMESPACE_RANK = 90;
const NODE_RANK = 100;
const OTHER_RANK = 50;

/** Identifies an object across its versions in the user interface. */
export function objectKey(object: {
  readonly kind?: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}): string {
  return `${object.kind ?? ''}/${object.namespace ?? ''}/${object.name ?? ''}`;
}

export function keyOfObject(object: KubernetesObject): string {
  return objectKey({ kind: object.kind ?? '', namespace: object.metadata.namespace, name: object.metadata.name });
}

/** Objects below their owners, as people think of them. `all` also shows what every cluster has. */
export function ownerTree(objects: readonly KubernetesObject[], all: boolean): TreeRow[] {
  const visible = all ? objects : objects.filter(isOfInterest);
  const present = new Set(visible.map((object) => object.metadata.uid ?? ''));
  const children = new Map<string, KubernetesObject[]>();
  for (const object of visible) {
    const owner = object.metadata.ownerReferences?.find((reference) => reference.controller && present.has(reference.uid));
    const parent = owner?.uid ?? '';
    const siblings = children.get(parent);
    if (siblings) siblings.push(object);
    else children.set(parent, [object]);
  }
  const rows: TreeRow[] = [];
  append(rows, { children, parent: '', follows: [] });
  return rows;
}

/** The rows without what stands below the folded ones. */
export function foldTree(rows: readonly TreeRow[], folded: readonly string[]): readonly TreeRow[] {
  if (folded.length === 0) return rows;
  const shown: TreeRow[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (!row) continue;
    let end = at + 1;
    if (folded.includes(row.key)) while ((rows[end]?.depth ?? 0) > row.depth) end++;
    shown.push(end > at + 1 ? { ...row, hidden: end - at - 1 } : row);
    at = end - 1;
  }
  return shown;
}

function append(
  rows: TreeRow[],
  at: { children: ReadonlyMap<string, KubernetesObject[]>; parent: string; follows: readonly boolean[] },
): void {
  const siblings = [...(at.children.get(at.parent) ?? [])].sort(compare);
  for (const [index, object] of siblings.entries()) {
    const depth = at.parent === '' ? 0 : at.follows.length + 1;
    const follows = at.parent === '' ? [] : [...at.follows, index < siblings.length - 1];
    rows.push({ key: keyOfObject(object), object, depth, follows });
    const { uid } = object.metadata;
    if (uid && at.children.has(uid)) append(rows, { children: at.children, parent: uid, follows });
  }
}

function isOfInterest(object: KubernetesObject): boolean {
  const { name, namespace = '' } = object.metadata;
  const kind = object.kind ?? '';
  return !isHeartbeat({ kind }) && !isFurniture({ kind, name }) && !namespace.startsWith('kube-');
}

function compare(a: KubernetesObject, b: KubernetesObject): number {
  return (
    rank(a) - rank(b) ||
    order(a.kind ?? '', b.kind ?? '') ||
    order(a.metadata.namespace ?? '', b.metadata.namespace ?? '') ||
    order(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
    order(a.metadata.name ?? '', b.metadata.name ?? '')
  );
}

function rank({ kind = '' }: KubernetesObject): number {
  if (kind === 'Node') return NODE_RANK;
  if (kind === 'Namespace') return NAMESPACE_RANK;
  const known = ROOT_ORDER.indexOf(kind);
  return known < 0 ? OTHER_RANK : known;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
