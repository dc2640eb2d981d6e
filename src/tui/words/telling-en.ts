import type { Change, Creation, EntryTelling, RuntimeWhat, Telling, WriteTelling } from './telling.ts';

const write: WriteTelling = {
  removed: (name, forGood) => ({ verb: 'removed', tail: forGood ? 'for good' : '', state: `${name} is gone` }),
  created: (name, of) => ({ verb: of.isNode ? 'registered' : 'created', tail: creationTail(of), state: `${name} was created` }),
  marked: (name, of) => ({ verb: 'marked', tail: deletionTail(of), state: `${name} is being deleted` }),
  graceCut: (name, seconds) => ({
    verb: 'cut the time to stop of',
    tail: `to ${seconds} s`,
    state: `${name} has ${seconds} s left to stop`,
  }),
  conditions: (name, conditions) => ({ verb: 'reported on', tail: `: ${conditions}`, state: `${name} has ${conditions}` }),
  finalizersPut: (name, finalizers) => ({ verb: 'put finalizer', tail: `: ${finalizers}`, state: `${name} has finalizer ${finalizers}` }),
  finalizersTaken: (name, finalizers) => ({
    verb: 'took finalizer off',
    tail: `: ${finalizers}`,
    state: `${name} lost finalizer ${finalizers}`,
  }),
  statusUpdated: (name, parts) => ({ verb: 'updated the status of', tail: `: ${parts}`, state: `the status of ${name} changed` }),
  updated: (name, what) => ({ verb: 'updated', tail: what ? `(${what})` : '', state: `${name} changed${what ? ` (${what})` : ''}` }),
  assigned: (name, node) => ({ verb: 'assigned', tail: `to node ${node}`, state: `${name} was assigned to node ${node}` }),
  noNode: (name, message) => ({ verb: 'reported that it found no node for', tail: `: ${message}`, state: `${name} cannot be scheduled` }),
  reported: (name, parts) => ({ verb: 'reported', tail: `as ${parts}`, state: `${name} is ${parts}` }),
  tainted: (name, taints) => ({ verb: 'tainted', tail: `with ${taints}`, state: `${name} has taint ${taints}` }),
  untainted: (name, taints) => ({ verb: 'untainted', tail: `: ${taints} is off`, state: `${name} lost taint ${taints}` }),
  cordoned: (name, isCordoned) => ({
    verb: isCordoned ? 'cordoned' : 'uncordoned',
    tail: '',
    state: `${name} ${isCordoned ? 'takes no new pods' : 'takes pods again'}`,
  }),
  givenAddresses: (name, cidr) => ({ verb: 'gave', tail: `the pod addresses ${cidr}`, state: `${name} has pod addresses` }),
  endpoints: (name, parts) => ({ verb: 'updated', tail: `: ${parts}`, state: `${name} changed: ${parts}` }),
  scaled: (name, from, to) => ({
    verb: 'scaled',
    tail: `from ${from} to ${to}`,
    state: `${name} now wants ${to} ${to === 1 ? 'pod' : 'pods'}`,
  }),
  template: (name, images) => ({
    verb: 'changed the pod template of',
    tail: images ? `(image ${images})` : '',
    state: `${name} has a new pod template`,
  }),
  progress: (name, words) => ({ verb: 'updated the status of', tail: `: ${words}`, state: `the status of ${name} says ${words}` }),
};

function creationTail({ replicas, address, endpoints, owner }: Creation): string {
  const parts: string[] = [];
  if (replicas !== undefined) parts.push(replicas === 1 ? 'with 1 replica' : `with ${replicas} replicas`);
  if (address) parts.push(`with address ${address}`);
  if (endpoints > 0) parts.push(`with ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`);
  if (owner) parts.push(`for ${owner}`);
  return parts.join(' ');
}

function deletionTail({ grace, finalizers }: { readonly grace: number; readonly finalizers: readonly string[] }): string {
  if (finalizers.length > 0)
    return `for deletion; it stays until ${finalizers.join(', ')} ${finalizers.length === 1 ? 'is' : 'are'} taken off`;
  return grace > 0 ? `for deletion, with ${grace} s to stop` : 'for deletion';
}

function sentence({ verb, tail }: Change, name: string): string {
  const separator = tail && !tail.startsWith(':') ? ' ' : '';
  return `${verb} ${name}${separator}${tail}`;
}

function listing(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function plural(kind: string): string {
  if (/(s|ss|ch|x)$/.test(kind)) return `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

function placeOf(pod: string, container: string): string {
  return container ? `container ${container} of ${pod}` : pod;
}

function runtime({ what, pod, container, detail }: RuntimeWhat): string {
  const place = placeOf(pod, container);
  switch (what) {
    case 'created':
      return `created ${place}${detail && ` from ${detail}`}`;
    case 'started':
      return `started ${place}`;
    case 'start-failed':
      return `could not start ${place}: ${detail}`;
    case 'signalled':
      return `sent ${detail || 'a signal'} to ${place}`;
    case 'exited':
      return `${place} exited with code ${detail}`;
    case 'sandbox-created':
      return `set up the sandbox of ${pod}${detail && ` with address ${detail}`}`;
    case 'sandbox-stopped':
      return `took down the sandbox of ${pod}`;
  }
}

const entry: EntryTelling = {
  ran: (command) => `ran ${command}`,
  startedAgain: (run) => `started again (run ${run})`,
  actor: (what) => ({ started: 'started', crashed: 'crashed', paused: 'stopped responding', resumed: 'goes on' })[what],
  state: (what) => (what === 'started' ? 'starts' : what.toUpperCase()),
  asked: (verb, target) => `asked to ${verb} ${target}`,
  subresource: (subresource, name) => `the ${subresource} of ${name}`,
  conflict: (verb, target) => `tried to ${verb} ${target}, but it had changed since it was read (409 Conflict)`,
  answered: (request, { isRefusal, text }) => {
    const tried = request ? `tried to ${request.verb} ${request.target}` : 'asked';
    return isRefusal ? `${tried}, but got ${text}` : `${tried}: ${text}`;
  },
  saw: (state) => `saw that ${state}`,
  sawIt: 'saw it',
  looksAt: (key) => `looks at ${key}`,
  isDoneWith: (key) => `is done with ${key}`,
  failedOn: (key, result) => `could not finish ${key}: ${result}`,
  gone: (name) => `${name} is gone`,
  isThere: (name) => `${name} is there`,
  changed: (name) => `${name} changed`,
  it: 'it',
  a: (kind) => `a ${kind}`,
  runtime,
  about: (message, { pod, container }) => `${message} (${placeOf(pod, container)})`,
};

/** How a run is told in English. */
export const EN_TELLING: Telling = {
  who: (actor) => actor,
  sentence,
  several: (change, { kind, names }) => {
    const tail = change.tail.startsWith(': ') ? ` (${change.tail.slice(2)})` : change.tail && ` ${change.tail}`;
    return sentence({ ...change, tail: '' }, `${names.length} ${plural(kind)}${tail}: `);
  },
  list: (items) => items.join(', '),
  listing,
  more: (count) => `${count} more`,
  write,
  part: {
    ready: (isReady) => (isReady ? 'ready' : 'not ready'),
    restarted: (times) => `restarted ${times} ${times === 1 ? 'time' : 'times'}`,
    allStopped: 'all containers stopped',
    withAddress: (address) => `with address ${address}`,
    noHeartbeat: 'Unknown (no heartbeat)',
    added: (pod, state) => `added ${pod} (${state})`,
    isNow: (pod, state) => `${pod} is ${state}`,
    tookOut: (pod) => `took out ${pod}`,
    key: (of, key) => `${of} ${key}`,
    seenGeneration: (generation) => `it has seen generation ${generation}`,
    readiness: (ready, wanted) => (ready > wanted ? `${ready} ready, ${wanted} wanted` : `${ready} of ${wanted} ready`),
    upToDate: (count) => `${count} up to date`,
    inAll: (count) => `${count} in all`,
    job: (active, succeeded, failed) => `${active} active, ${succeeded} succeeded, ${failed} failed`,
  },
  entry,
  story: {
    because: (text, reason) => `${text}  (because: ${reason})`,
    sameReason: 'same reason',
    youAsked: 'you asked for it',
    sawThat: (state) => `it saw that ${state}`,
    tryAgain: (text) => `${text}; it will try again`,
    started: (names) => `started ${names}`,
    onNodes: (nodes) => `on nodes ${nodes}`,
    onTheseNodes: (words, nodes) => `${words} on nodes ${nodes}`,
    cluster: 'cluster',
    kubelets: 'kubelets',
    had: (count, wanted) => `it had ${count} of ${wanted} wanted ${wanted === 1 ? 'pod' : 'pods'}`,
    hadTooMany: (count, wanted) => `it had ${count} pods and wants ${wanted}`,
    join: (parts) => parts.join('; '),
  },
  lane: {
    pending: (count) => `pending ${count}`,
    pods: (count) => `pods ${count}`,
    down: 'DOWN',
    paused: 'PAUSED',
    serving: 'serving',
    idle: 'idle',
    telling: 'telling',
    notices: 'NOTICES',
    stores: 'STORES',
    asking: 'asking',
    refuses: 'REFUSES',
    refused: 'refused',
    decides: 'DECIDES',
    reconciles: 'RECONCILES',
    acts: 'ACTS',
    done: (key) => `done ${key}`,
    retry: (key, why) => `retry ${key}: ${why}`,
    changedMeanwhile: 'it was changed meanwhile',
  },
  decision: {
    decided: (pod, { time, seq, by }) => `pod ${pod}, decided at ${time} (#${seq}) by ${by}`,
    before: 'Attempts before',
    goesTo: (node) => `goes to ${node}`,
    cannotBeScheduled: 'cannot be scheduled',
    wentWrong: 'something went wrong',
    looked: (attempt, evaluated, feasible) =>
      `attempt ${attempt}: ${evaluated} ${evaluated === 1 ? 'node' : 'nodes'} looked at, ${feasible} fit`,
    waitsFor: (node, victims) =>
      `waits for room on ${node}, where less important pods go${victims.length ? `: ${victims.join(', ')}` : ''}`,
    refusedBefore: 'Refused before any node was looked at',
    refusedNodes: 'Refused nodes',
    node: 'node',
    filter: 'filter',
    itsWords: 'its words',
    more: (count) => `and ${count} more`,
    moreThatFit: (count) => `and ${count} more that fit`,
    scores: 'Scores: raw, normalised, and times the weight',
    plugin: 'plugin',
    weight: 'weight',
    sum: 'sum',
    choice: 'The choice',
    onlyNode: 'there was none: only this node fits',
    highest: (node) => `${node} has the highest sum`,
    chance: (node, { count, names, more }) =>
      `chance took ${node} out of ${count} with the same sum: ${names.join(', ')}${more ? ', and more' : ''}`,
    queue: 'In the queue: when, what, woken by',
    queues: {
      active: 'ready to be scheduled',
      backoff: 'backs off',
      unschedulable: 'waits for something to change',
      gated: 'is kept out of the queue',
      popped: 'is taken',
    },
    thisDecision: 'this decision',
  },
  message: (text) => text,
};
