import type { DocumentReader } from '../scenario/document-reader.ts';
import { type Matcher, readMatcher } from '../scenario/matcher.ts';

const READY = { verb: 'update', field: 'status.conditions[type=Ready].status', equals: 'True' };

/** What the verbs of a pattern look for. The first ones mean changes that the store committed. */
const VERBS: Readonly<Record<string, Partial<Matcher>>> = {
  CREATE: { verb: 'create' },
  CREATED: { verb: 'create' },
  ADDED: { verb: 'create' },
  UPDATE: { verb: 'update' },
  UPDATED: { verb: 'update' },
  MODIFIED: { verb: 'update' },
  DELETE: { verb: 'delete' },
  DELETED: { verb: 'delete' },
  REMOVED: { verb: 'delete' },
  /** The mark for deletion; the object is still there. */
  MARKED: { verb: 'update', field: 'metadata.deletionTimestamp' },
  BOUND: { verb: 'update', subresource: 'binding' },
  RUNNING: { verb: 'update', field: 'status.phase', equals: 'Running' },
  SUCCEEDED: { verb: 'update', field: 'status.phase', equals: 'Succeeded' },
  FAILED: { verb: 'update', field: 'status.phase', equals: 'Failed' },
  READY,
  UNREADY: { ...READY, equals: 'False' },
  /** What happens to the containers of a Pod, on its node. */
  STARTED: { trace: 'runtime', what: 'container-started' },
  SIGNALLED: { trace: 'runtime', what: 'container-signalled' },
  EXITED: { trace: 'runtime', what: 'container-exited' },
  PROBED: { trace: 'runtime', what: 'probed' },
  /** A watch event about it reached the actor. */
  SEEN: { trace: 'watch' },
};

const PATTERN = /^(?<kind>[A-Z]\w*|\*)(?:\/(?<name>\S+))? (?<verb>[A-Z]+)(?: by (?<by>\S+))?$/;

/**
 * Reads which entries of the trace are meant: a text `Kind[/name] VERB [by actor]`, or a matcher as in scenarios.
 * @example `Pod/{pod} DELETED by kubelet/n1`, `Pod CREATE by replicaset-controller`, `Pod/{new} SEEN by kube-scheduler`
 * @throws DocumentError
 */
export function readEventPattern(reader: DocumentReader): Matcher {
  if (!reader.isText) return readMatcher(reader);
  const text = reader.string();
  const groups = PATTERN.exec(text)?.groups;
  if (!groups) reader.fail(`expected Kind[/name] VERB [by actor], e.g. "Pod/{pod} DELETED by kubelet/*", found "${text}"`);
  const { kind = '*', name, verb = '', by } = groups;
  const meaning = VERBS[verb];
  if (!meaning) reader.fail(`there is no verb ${verb}; there are ${Object.keys(VERBS).join(', ')}`);
  return {
    trace: 'write',
    ...(kind === '*' ? {} : { kind }),
    ...(name === undefined ? {} : { name }),
    ...meaning,
    ...(by === undefined ? {} : { by: meaning.trace ? by : userOf(by) }),
  };
}

/** The user under which a component is known to kube-apiserver, where it is not its name. */
function userOf(component: string): string {
  if (component === 'you') return 'kubernetes-admin';
  if (component === 'kubelet') return 'system:node:*';
  return component.startsWith('kubelet/') ? `system:node:${component.slice('kubelet/'.length)}` : component;
}

/** The verbs that patterns know, for help and for the schema. */
export const PATTERN_VERBS: readonly string[] = Object.keys(VERBS);
