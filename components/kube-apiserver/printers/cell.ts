import { humanDuration } from '../../../src/api/human-duration.ts';
import type { Container } from '../../../src/api/kinds/core-v1.ts';
import type { LabelSelector } from '../../../src/api/kinds/meta-v1.ts';
import { formatLabelSelector } from '../../../src/api/label-selector.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { parseTime } from '../../../src/api/time.ts';

export type Cell = string | number | boolean | null;

/** The cells of an object's row. `now` is what the clock shows, in milliseconds since 1970. */
export type Printer<T extends KubernetesObject = KubernetesObject> = (object: T, now: number) => Cell[];

export const NONE = '<none>';
export const UNSET = '<unset>';

/** How long ago a time was. pkg/printers.translateTimestampSince */
export function since(time: string | null | undefined, now: number): string {
  const ms = parseTime(time);
  return ms === undefined ? '<unknown>' : humanDuration(now - ms);
}

export function age({ metadata }: KubernetesObject, now: number): string {
  return since(metadata.creationTimestamp, now);
}

export const nameOf = ({ metadata }: KubernetesObject): string => metadata.name ?? '';

/** `a=1,b=2` in order. apimachinery pkg/labels.FormatLabels */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length > 0 ? pairs.sort().join(',') : NONE;
}

const MAX_SHOWN = 3;

/** The first three of a list, and how many more there are. */
export function shortList(items: readonly string[], empty: string): string {
  const shown = items.slice(0, MAX_SHOWN).join(',');
  return items.length > MAX_SHOWN ? `${shown} + ${items.length - MAX_SHOWN} more...` : shown || empty;
}

interface Ingress {
  readonly ip?: string;
  readonly hostname?: string;
}

/** Addresses of a load balancer, each once and in order. pkg/printers/internalversion loadBalancerStatusStringer */
export function loadBalancerAddresses(ingress: readonly Ingress[] | undefined): string[] {
  return [...new Set((ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []))].sort();
}

export const selectorText = (selector: LabelSelector | undefined): string => formatLabelSelector(selector);

/** Names and images of containers, as two cells. */
export function containersCells(containers: readonly Pick<Container, 'name' | 'image'>[] | undefined): [string, string] {
  const list = containers ?? [];
  return [list.map(({ name }) => name).join(','), list.map(({ image }) => image ?? '').join(',')];
}
