import type { Container, PodSpec } from '../../../../src/api/kinds/core-v1.ts';
import type { ObjectMeta } from '../../../../src/api/kinds/meta-v1.ts';

/** What a check says of a pod that it forbids. pod-security-admission policy.CheckResult */
export interface Finding {
  readonly reason: string;
  readonly detail: string;
}

/** The parts of a pod, or of the pod template of a workload, that checks look at. */
export interface PodParts {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

export type Check = (pod: PodParts) => Finding | undefined;

/** Init containers, containers, ephemeral containers. */
export function containersOf({ spec }: PodParts): Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...((spec.ephemeralContainers ?? []) as Container[])];
}

/** `container "a"`, `containers "a", "b"` */
export function containersText(names: readonly string[]): string {
  return `${names.length === 1 ? 'container' : 'containers'} ${quoted(names)}`;
}

export function quoted(items: readonly string[]): string {
  return items.map((item) => JSON.stringify(item)).join(', ');
}

/** A finding about the pod itself, some of its containers, or both. */
export function settersText(pod: boolean, names: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(names.length > 0 ? [containersText(names)] : [])].join(' and ');
}

/** Each once, in order. */
export function sortedSet(items: Iterable<string>): string[] {
  return [...new Set(items)].sort();
}
