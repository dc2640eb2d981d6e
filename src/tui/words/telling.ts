/**
 * What a write did, in one language. `verb`, the object's name and `tail` make the sentence of who did it ("created", "Pod web-1", "for ReplicaSet web");
 * `state` is the clause about the object for whoever saw it ("Pod web-1 is being deleted").
 */
export interface Change {
  readonly verb: string;
  readonly tail: string;
  readonly state: string;
}

/** How a run is told in one language: in the log, in `why`, in the line mode. Names of components and objects, and texts of Kubernetes itself, stay as they are. */
export interface Telling {
  /** `you` and `fault` are no names. */
  who(actor: string): string;
  /** `created Pod web-1 for ReplicaSet web` */
  sentence(change: Change, name: string): string;
  /** The same of several objects of a kind. */
  several(change: Change, of: { readonly kind: string; readonly names: readonly string[] }): string;
  /** A list in a row; the last one may be a sentence about how many more there are. */
  list(items: readonly string[]): string;
  /** `a, b and c` */
  listing(names: readonly string[]): string;
  more(count: number): string;
  readonly write: WriteTelling;
  readonly part: PartTelling;
  readonly entry: EntryTelling;
  readonly story: StoryTelling;
  readonly lane: LaneTelling;
  readonly decision: DecisionTelling;
  /** A sentence that a component put into the trace itself; what is not known is told as it is. */
  message(text: string): string;
}

/** Writes, each with the object's name. */
export interface WriteTelling {
  removed(name: string, forGood: boolean): Change;
  created(name: string, of: Creation): Change;
  marked(name: string, of: { readonly grace: number; readonly finalizers: readonly string[] }): Change;
  graceCut(name: string, seconds: number): Change;
  conditions(name: string, conditions: string): Change;
  finalizersPut(name: string, finalizers: string): Change;
  finalizersTaken(name: string, finalizers: string): Change;
  statusUpdated(name: string, parts: string): Change;
  /** `what` may be empty. */
  updated(name: string, what: string): Change;
  assigned(name: string, node: string): Change;
  noNode(name: string, message: string): Change;
  /** How it is now, in parts. */
  reported(name: string, parts: string): Change;
  tainted(name: string, taints: string): Change;
  untainted(name: string, taints: string): Change;
  cordoned(name: string, isCordoned: boolean): Change;
  givenAddresses(name: string, cidr: string): Change;
  endpoints(name: string, parts: string): Change;
  scaled(name: string, from: number, to: number): Change;
  template(name: string, images: string): Change;
  progress(name: string, words: string): Change;
}

export interface Creation {
  readonly isNode: boolean;
  readonly replicas: number | undefined;
  readonly address: string;
  readonly endpoints: number;
  readonly owner: string;
}

/** Parts of sentences about writes. */
export interface PartTelling {
  ready(isReady: boolean): string;
  restarted(times: number): string;
  readonly allStopped: string;
  withAddress(address: string): string;
  readonly noHeartbeat: string;
  added(pod: string, state: EndpointState): string;
  isNow(pod: string, state: EndpointState): string;
  tookOut(pod: string): string;
  /** A label or annotation. */
  key(of: 'label' | 'annotation', key: string): string;
  seenGeneration(generation: unknown): string;
  readiness(ready: number, wanted: number): string;
  upToDate(count: number): string;
  inAll(count: number): string;
  job(active: number, succeeded: number, failed: number): string;
}

export type EndpointState = 'ready' | 'not ready' | 'terminating';

export type ProcessChange = 'started' | 'crashed' | 'paused' | 'resumed';

/** Everything in the trace that is not a write. */
export interface EntryTelling {
  ran(command: string): string;
  startedAgain(run: number): string;
  actor(what: ProcessChange): string;
  /** The same in a word, for the stage. */
  state(what: ProcessChange): string;
  asked(verb: string, target: string): string;
  subresource(subresource: string, name: string): string;
  conflict(verb: string, target: string): string;
  /** `request` is undefined for an answer whose request is no longer known. */
  answered(
    request: { readonly verb: string; readonly target: string } | undefined,
    answer: { readonly isRefusal: boolean; readonly text: string },
  ): string;
  saw(state: string): string;
  readonly sawIt: string;
  looksAt(key: string): string;
  isDoneWith(key: string): string;
  failedOn(key: string, result: string): string;
  gone(name: string): string;
  isThere(name: string): string;
  changed(name: string): string;
  /** An object that was named in the link before; may be empty. */
  readonly it: string;
  a(kind: string): string;
  runtime(of: RuntimeWhat): string;
  /** A message that does not say what it is about. */
  about(message: string, place: { readonly pod: string; readonly container: string }): string;
}

/** What happened in a container or sandbox; `detail` is what the runtime says besides. */
export interface RuntimeWhat {
  readonly what: 'created' | 'started' | 'start-failed' | 'signalled' | 'exited' | 'sandbox-created' | 'sandbox-stopped';
  readonly pod: string;
  readonly container: string;
  readonly detail: string;
}

/** What stands below the name of a lane: a fact, and what it does at this moment. Twelve cells each. */
export interface LaneTelling {
  pending(count: number): string;
  pods(count: number): string;
  readonly down: string;
  readonly paused: string;
  readonly serving: string;
  readonly idle: string;
  readonly telling: string;
  readonly notices: string;
  readonly stores: string;
  readonly asking: string;
  readonly refuses: string;
  readonly refused: string;
  readonly decides: string;
  readonly reconciles: string;
  readonly acts: string;
  /** Ends of a reconcile, as labels. */
  done(key: string): string;
  retry(key: string, why: string): string;
  readonly changedMeanwhile: string;
}

/** A scheduling decision as a table. */
export interface DecisionTelling {
  decided(pod: string, at: { readonly time: string; readonly seq: number; readonly by: string }): string;
  readonly before: string;
  goesTo(node: string): string;
  readonly cannotBeScheduled: string;
  readonly wentWrong: string;
  looked(attempt: number, evaluated: number, feasible: number): string;
  waitsFor(node: string, victims: readonly string[]): string;
  readonly refusedBefore: string;
  readonly refusedNodes: string;
  readonly node: string;
  readonly filter: string;
  readonly itsWords: string;
  more(count: number): string;
  moreThatFit(count: number): string;
  readonly scores: string;
  readonly plugin: string;
  readonly weight: string;
  readonly sum: string;
  readonly choice: string;
  readonly onlyNode: string;
  highest(node: string): string;
  /** `more`: not all of those that are equal are named. */
  chance(node: string, of: { readonly count: number; readonly names: readonly string[]; readonly more: boolean }): string;
  readonly queue: string;
  readonly queues: Readonly<Record<'active' | 'backoff' | 'unschedulable' | 'gated' | 'popped', string>>;
  readonly thisDecision: string;
}

/** The story of a run, line by line. */
export interface StoryTelling {
  because(text: string, reason: string): string;
  readonly sameReason: string;
  readonly youAsked: string;
  sawThat(state: string): string;
  tryAgain(text: string): string;
  started(names: string): string;
  onNodes(nodes: string): string;
  onTheseNodes(words: string, nodes: string): string;
  readonly cluster: string;
  readonly kubelets: string;
  had(count: number, wanted: number): string;
  hadTooMany(count: number, wanted: number): string;
  join(parts: readonly string[]): string;
}
