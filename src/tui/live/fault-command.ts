import type { Fault } from '../../cluster/faults.ts';
import { parseDuration } from '../../scenario/duration.ts';

const COMPONENT_FAULTS = ['crash', 'restart', 'pause', 'resume'] as const;
const NODE_FAULTS = ['shutdown-node', 'stop-node', 'start-node'] as const;
const REGISTRY_FAULTS = ['registry-down', 'registry-up'] as const;
const SHARE_FAULTS = ['fill-disk', 'fill-pids'] as const;
const LINK_FAULTS = ['partition', 'heal'] as const;

/** Every fault with what it takes, for completion and help. */
export const FAULT_USAGE: readonly string[] = [
  ...COMPONENT_FAULTS.map((name) => `${name} COMPONENT`),
  ...NODE_FAULTS.map((name) => `${name} NODE`),
  ...REGISTRY_FAULTS.map((name) => `${name} docker.io|*`),
  ...SHARE_FAULTS.map((name) => `${name} NODE 95`),
  'skew-clock NODE 5m',
  ...LINK_FAULTS.map((name) => `${name} COMPONENT|NODE`),
  'delay-watch COMPONENT 5s',
  'drop-watch-event COMPONENT [kind=Pod] [name=web-1] [type=ADDED|MODIFIED|DELETED]',
];

const isOneOf = <T extends string>(names: readonly T[], word: string): word is T => (names as readonly string[]).includes(word);

/** Reads `crash kube-scheduler`, `stop-node n1`, `delay-watch kubelet/n1 5s`, `drop-watch-event kube-scheduler kind=Pod`; undefined when it is none. */
export function parseFault(words: readonly string[]): Fault | undefined {
  const [fault = '', target, ...rest] = words;
  if (!target) return undefined;
  if (isOneOf(COMPONENT_FAULTS, fault)) return { fault, component: target };
  if (isOneOf(NODE_FAULTS, fault)) return { fault, node: target };
  if (isOneOf(LINK_FAULTS, fault)) return { fault, target };
  if (isOneOf(REGISTRY_FAULTS, fault)) return { fault, registry: target };
  if (isOneOf(SHARE_FAULTS, fault)) {
    const percent = Number(rest[0]);
    return percent >= 0 && percent <= 100 ? { fault, node: target, percent } : undefined;
  }
  if (fault === 'skew-clock') {
    const ms = parseSignedDuration(rest[0] ?? '');
    return ms === undefined ? undefined : { fault, node: target, ms };
  }
  if (fault === 'delay-watch') {
    const ms = parseDuration(rest[0] ?? '');
    return ms === undefined ? undefined : { fault, component: target, ms };
  }
  return fault === 'drop-watch-event' ? parseDrop(target, rest) : undefined;
}

/** `5m` is ahead, `-5m` behind. */
function parseSignedDuration(text: string): number | undefined {
  const ms = parseDuration(text.replace(/^-/, ''));
  return ms === undefined ? undefined : text.startsWith('-') ? -ms : ms;
}

function parseDrop(component: string, words: readonly string[]): Fault | undefined {
  const given = new Map(words.map((word) => word.split(/=(.*)/s, 2) as [string, string]));
  const type = given.get('type');
  if (type !== undefined && type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return undefined;
  const [kind, name] = [given.get('kind'), given.get('name')];
  return {
    fault: 'drop-watch-event',
    component,
    ...(kind ? { kind } : {}),
    ...(name ? { name } : {}),
    ...(type ? { type } : {}),
  };
}
