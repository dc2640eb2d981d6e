import type { TraceEntry } from '../../sim/trace.ts';
import { displayName } from './field.ts';

type RuntimeEntry = Extract<TraceEntry, { kind: 'runtime' }>;
type DecisionEntry = Extract<TraceEntry, { kind: 'decision' }>;

/** What happens in a container, as a sentence that names the container and its pod: the runtime itself only says "container started". */
export function runtimeWords(entry: RuntimeEntry): string {
  const { what, message, object, container } = entry;
  if (what === 'image-pulled')
    return message.replace(
      /^image (\S+) pulled \((\d+) bytes\)/,
      (_, image: string, bytes: string) => `pulled image ${image} (${megabytes(bytes)})`,
    );
  if (!object) return message.replace(/^kube-proxy /, '');
  const pod = displayName(object);
  const place = container ? `container ${container} of ${pod}` : pod;
  switch (what) {
    case 'container-created':
      return message.startsWith('container created') ? `created ${place}${message.slice('container created'.length)}` : message;
    case 'container-started':
      return `started ${place}`;
    case 'container-start-failed':
      return `could not start ${place}: ${message}`;
    case 'container-signalled':
    case 'container-killed':
      return `sent ${message.split(' ')[0] ?? 'a signal'} to ${place}`;
    case 'container-exited':
      return message.replace(/^container exited with (?:code )?(\S+)/, `${place} exited with code $1`);
    case 'sandbox-created':
      return `set up the sandbox of ${pod}${message.replace(/^sandbox created/, '')}`;
    case 'sandbox-stopped':
      return `took down the sandbox of ${pod}`;
    default:
      return message.includes(object.name) ? message : `${message} (${place})`;
  }
}

function megabytes(bytes: string): string {
  return `${Math.max(1, Math.round(Number(bytes) / 1e6))} MB`;
}

/** A decision, with the name of what it is about unless it says so itself. */
export function decisionWords({ message, object }: DecisionEntry): string {
  return !object?.name || message.includes(object.name) ? message : `${message} (${displayName(object)})`;
}

/** `default/web-1 goes to n2: ...` without the name, for where it has been said. */
export function decisionWithoutName({ message, object }: DecisionEntry): string {
  const key = object?.namespace ? `${object.namespace}/${object.name} ` : `${object?.name ?? ''} `;
  return object && message.startsWith(key) ? message.slice(key.length) : message;
}

/** What components of several nodes do alike: the sentence without the node, and the node. Undefined for what belongs to one node alone. */
export function nodeWork(entry: RuntimeEntry): { component: string; node: string; words: string } | undefined {
  const [component = '', node] = entry.actor.split('/');
  if (!node || entry.object || !entry.message.includes(` of node ${node}`)) return undefined;
  return { component, node, words: runtimeWords(entry).replace(` of node ${node}`, '') };
}
