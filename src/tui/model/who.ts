import type { TraceEntry } from '../../sim/trace.ts';
import { entryAt, type RunView, type WriteEntry } from './run-view.ts';

const KUBE_SYSTEM_ACCOUNT = 'system:serviceaccount:kube-system:';
const ACCOUNT = 'system:serviceaccount:';
const NODE = 'system:node:';
const QUESTIONS = /^(?:GET |kubectl (?:get|describe|logs|top|explain|auth|rollout (?:status|history)))/;
const PEOPLE = new Set(['', 'kubernetes-admin', 'admin', 'system:admin']);

/** What a person calls whoever logs in as `user`: `replicaset-controller`, `kubelet/n1`, `you`. */
function userTitle(user: string): string {
  if (PEOPLE.has(user)) return 'you';
  if (user.startsWith(KUBE_SYSTEM_ACCOUNT)) return user.slice(KUBE_SYSTEM_ACCOUNT.length);
  if (user.startsWith(ACCOUNT)) return user.slice(ACCOUNT.length).replace(':', '/');
  if (user.startsWith(NODE)) return `kubelet/${user.slice(NODE.length)}`;
  if (user === 'system:apiserver') return 'kube-apiserver';
  return user.startsWith('system:') ? user.slice('system:'.length) : user;
}

/** Who acts in this entry, in the words of upstream: the controller rather than the process that it runs in. */
export function who(run: RunView, entry: TraceEntry): string {
  switch (entry.kind) {
    case 'input':
      return entry.input === 'fault' ? 'fault' : 'you';
    case 'fault':
      return 'fault';
    case 'write':
      return writerTitle(run, entry);
    case 'request':
      return isPerson(entry.actor) ? 'you' : isOwnController(entry.actor) ? entry.actor : userTitle(entry.user);
    case 'response': {
      const request = entryAt(run, entry.request);
      return request?.kind === 'request' ? who(run, request) : entry.actor;
    }
    case 'reconcile':
      return entry.actor === 'kube-controller-manager' ? controllerTitle(entry.controller) : entry.actor;
    case 'decision':
      return entry.actor === 'kube-controller-manager' ? controllerTitle(entry.component) : entry.actor || entry.component;
    default:
      return entry.actor || 'you';
  }
}

/** A controller of the user's is known by its process, not by the account that it was given. */
function isOwnController(actor: string): boolean {
  return actor.startsWith('controller/');
}

function writerTitle(run: RunView, write: WriteEntry): string {
  const title = userTitle(write.user);
  const sender = requestBehind(run, write)?.actor ?? '';
  return isOwnController(sender) || (title === 'you' && !isPerson(sender)) ? sender : title;
}

/** The request that an entry of kube-apiserver serves; undefined when it acts by itself. */
export function requestBehind(run: RunView, entry: TraceEntry): Extract<TraceEntry, { kind: 'request' }> | undefined {
  for (let at = entryAt(run, entry.cause); at; at = at.cause < at.seq ? entryAt(run, at.cause) : undefined) {
    if (at.kind === 'request') return at;
    if (at.kind === 'write' || at.kind === 'watch') break;
  }
  return undefined;
}

/** Requests of people come from an actor of this name, or from outside the simulation. */
export function isPerson(actor: string): boolean {
  return actor === '' || actor === 'kubectl' || actor === 'you';
}

/** Whether a person asked to look at something, rather than a command that looks on its way. */
export function isQuestion(run: RunView, entry: TraceEntry): boolean {
  const cause = entryAt(run, entry.cause);
  return isPerson(entry.actor) && (cause?.kind !== 'input' || QUESTIONS.test(cause.text));
}

function controllerTitle(name: string): string {
  return /controller|collector|scheduler|manager|binder/.test(name) ? name : `${name}-controller`;
}
