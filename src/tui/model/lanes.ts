import type { TraceEntry } from '../../sim/trace.ts';
import type { Telling } from '../words/telling.ts';
import { EN_TELLING } from '../words/telling-en.ts';
import { kindOf } from './kind-of.ts';
import type { Rows } from './rows.ts';
import { entryAt, type RunView } from './run-view.ts';
import { decisionWithoutName, runtimeWords } from './runtime-words.ts';
import { isPerson, requestBehind } from './who.ts';

export const APISERVER = 'kube-apiserver';
export const PERSON = 'kubectl';

/** Lanes stand in the order in which a request goes through a cluster. */
const LANE_ORDER = [
  PERSON,
  APISERVER,
  'kube-controller-manager',
  'cloud-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'coredns',
];

/** What an entry looks like between the lanes: an arrow from one to another, or something at one of them. */
export interface StageEvent {
  readonly from: string;
  readonly to: string;
  readonly style: 'request' | 'watch' | 'refusal' | 'local' | 'input' | 'fault';
  readonly label: string;
}

/** The lane of an actor. etcd stands behind kube-apiserver, and a node's container runtime behind its kubelet: nobody else talks to them. */
function laneOf(actor: string): string {
  if (isPerson(actor)) return PERSON;
  return actor === 'etcd' ? APISERVER : actor.replace(/^containerd\//, 'kubelet/');
}

/** How the stage shows an entry. */
export function stageEvent(run: RunView, entry: TraceEntry, telling: Telling = EN_TELLING): StageEvent {
  const lane = laneOf(entry.actor);
  const at = (style: StageEvent['style'], label: string): StageEvent => ({ from: lane, to: lane, style, label });
  switch (entry.kind) {
    case 'input':
      if (entry.input === 'fault') return { from: PERSON, to: PERSON, style: 'fault', label: `! ${telling.message(entry.text)}` };
      return { from: PERSON, to: PERSON, style: 'input', label: telling.message(entry.text) };
    case 'fault':
      return { from: PERSON, to: PERSON, style: 'fault', label: `! ${telling.message(entry.message)}` };
    case 'actor':
      return at('local', `${entry.actor.startsWith('containerd/') ? 'containerd ' : ''}${telling.entry.state(entry.what)}`);
    case 'write': {
      const request = requestBehind(run, entry);
      const from = request ? laneOf(request.actor) : APISERVER;
      const subresource = entry.subresource ? ` ${entry.subresource}` : '';
      return {
        from,
        to: APISERVER,
        style: 'request',
        label: `${request?.verb ?? entry.verb} ${entry.object.kind}/${entry.object.name}${subresource}`,
      };
    }
    case 'request':
      return {
        from: lane,
        to: APISERVER,
        style: 'request',
        label: `${entry.verb} ${entry.object.name ? `${kindOf(entry.object)}/${entry.object.name}` : entry.object.resource}`,
      };
    case 'response':
      return {
        from: APISERVER,
        to: lane,
        style: entry.code >= 400 ? 'refusal' : 'request',
        label: `${entry.code} ${entry.reason ?? ''}`.trim(),
      };
    case 'watch':
      return { from: APISERVER, to: lane, style: 'watch', label: `${entry.type} ${entry.object.kind}/${entry.object.name}` };
    case 'reconcile':
      return at('local', reconcileLabel(entry, telling));
    case 'stage':
      return at('local', `${entry.stage}: ${entry.outcome}`);
    case 'decision':
      return at('local', decisionWithoutName(entry, telling));
    case 'runtime':
      return at('local', runtimeWords(entry, telling));
  }
}

/** Several controllers share the lane of their process, so that each is named. */
function reconcileLabel({ actor, controller, what, key, result }: Extract<TraceEntry, { kind: 'reconcile' }>, { lane }: Telling): string {
  const by = actor === 'kube-controller-manager' ? ` (${controller.replace(/-controller$/, '')})` : '';
  if (what === 'start') return `reconcile ${shortKey(key)}${by}`;
  if (result === undefined) return lane.done(`${shortKey(key)}${by}`);
  return lane.retry(`${shortKey(key)}${by}`, /the object has been modified/.test(result) ? lane.changedMeanwhile : result);
}

function shortKey(key: string): string {
  return key.startsWith('default/') ? key.slice('default/'.length) : key;
}

/** Every lane that has something to show in the whole run. */
export function lanesOf(actors: readonly string[]): string[] {
  return [...new Set([PERSON, APISERVER, ...actors.map(laneOf)])].sort(compareLanes);
}

function compareLanes(a: string, b: string): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function rank(lane: string): number {
  const found = LANE_ORDER.indexOf(lane.split('/')[0] ?? lane);
  return found < 0 ? LANE_ORDER.length : found;
}

/**
 * The lanes for a window of rows when there is no room for all: those of the current entry first, then those that are preferred, then those in the window, then the others
 * in order.
 */
export function chooseLanes(
  run: RunView,
  lanes: readonly string[],
  window: { rows: Rows; first: number; last: number; max: number; prefer?: readonly string[] },
): string[] {
  if (lanes.length <= window.max) return [...lanes];
  const wanted = new Set<string>([APISERVER]);
  for (let row = window.last; row >= window.first; row--) {
    const entry = entryAt(run, window.rows.at(row));
    if (!entry) continue;
    const { from, to } = stageEvent(run, entry);
    wanted.add(from).add(to);
    if (row === window.last) for (const lane of window.prefer ?? []) wanted.add(lane);
  }
  for (const lane of lanes) wanted.add(lane);
  const chosen = new Set([...wanted].filter((lane) => lanes.includes(lane)).slice(0, window.max));
  return lanes.filter((lane) => chosen.has(lane));
}
