import type { TraceEntry } from '../../sim/trace.ts';
import type { RuntimeWhat, Telling } from '../words/telling.ts';
import { EN_TELLING } from '../words/telling-en.ts';
import { displayName } from './field.ts';

type RuntimeEntry = Extract<TraceEntry, { kind: 'runtime' }>;
type DecisionEntry = Extract<TraceEntry, { kind: 'decision' }>;

/** What happens in a container, as a sentence that names the container and its pod: the runtime itself only says "container started". */
export function runtimeWords(entry: RuntimeEntry, telling: Telling = EN_TELLING): string {
  const { message, object } = entry;
  const told = ofContainer(entry);
  if (told) return telling.entry.runtime(told);
  if (!object || message.includes(object.name)) return telling.message(plainly(message));
  return telling.entry.about(telling.message(message), { pod: displayName(object), container: entry.container ?? '' });
}

function plainly(message: string): string {
  return message
    .replace(/^kube-proxy /, '')
    .replace(/^image (\S+) pulled \((\d+) bytes\)/, (_, image: string, bytes: string) => `pulled image ${image} (${megabytes(bytes)})`);
}

/** What containerd says in one form; undefined for everything else. */
function ofContainer({ what, message, object, container = '' }: RuntimeEntry): RuntimeWhat | undefined {
  if (!object) return undefined;
  const told = (of: RuntimeWhat['what'], detail = ''): RuntimeWhat => ({ what: of, pod: displayName(object), container, detail });
  switch (what) {
    case 'container-created':
      return message.startsWith('container created') ? told('created', message.replace(/^container created(?: from )?/, '')) : undefined;
    case 'container-started':
      return told('started');
    case 'container-start-failed':
      return told('start-failed', message);
    case 'container-signalled':
    case 'container-killed':
      return told('signalled', message.split(' ')[0]);
    case 'container-exited':
      return /^container exited with/.test(message) ? told('exited', message.replace(/^container exited with (?:code )?/, '')) : undefined;
    case 'sandbox-created':
      return told('sandbox-created', message.replace(/^sandbox created(?: with address )?/, ''));
    case 'sandbox-stopped':
      return message === 'sandbox stopped' ? told('sandbox-stopped') : undefined;
    default:
      return undefined;
  }
}

function megabytes(bytes: string): string {
  return `${Math.max(1, Math.round(Number(bytes) / 1e6))} MB`;
}

/** A decision, with the name of what it is about unless it says so itself. */
export function decisionWords({ message, object }: DecisionEntry, telling: Telling = EN_TELLING): string {
  const words = telling.message(message);
  return !object?.name || message.includes(object.name) ? words : `${words} (${displayName(object)})`;
}

/** `default/web-1 goes to n2: ...` without the name, for where it has been said. */
export function decisionWithoutName({ message, object }: DecisionEntry, telling: Telling = EN_TELLING): string {
  const key = object?.namespace ? `${object.namespace}/${object.name} ` : `${object?.name ?? ''} `;
  return telling.message(object && message.startsWith(key) ? message.slice(key.length) : message);
}

/** What components of several nodes do alike: the sentence without the node, and the node. Undefined for what belongs to one node alone. */
export function nodeWork(
  entry: RuntimeEntry,
  telling: Telling = EN_TELLING,
): { component: string; node: string; words: string } | undefined {
  const [component = '', node] = entry.actor.split('/');
  if (!node || entry.object || !entry.message.includes(` of node ${node}`)) return undefined;
  return { component, node, words: telling.message(plainly(entry.message).replace(` of node ${node}`, '')) };
}
