import type { Pod } from '../../src/api/kinds/core-v1.ts';
import { type Outbound, OutboundError } from '../../src/api/outbound.ts';
import { parseDuration } from '../../src/api/time.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { ExtenderConfiguration } from './apis/config/kube-scheduler-configuration.ts';
import { ExtenderError } from './extender-error.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { Candidate } from './framework/preemption/candidate.ts';

const DEFAULT_TIMEOUT = '5s';
/** Extenders give 0 to 10, plugins 0 to 100: extender/v1 MaxExtenderPriority. */
const SCALE = 10;

interface FilterResult {
  readonly feasible: readonly NodeInfo[];
  /** Why others are refused, by node. */
  readonly failed: ReadonlyMap<string, string>;
  /** Of these: removing pods would not help. */
  readonly unresolvable: ReadonlySet<string>;
}

/** A process outside that takes part in scheduling over HTTP: pkg/scheduler/extender.go HTTPExtender. */
export class HttpExtender {
  readonly #config: ExtenderConfiguration;
  readonly #actor: Actor;
  readonly #outbound: Outbound | undefined;
  readonly #managed: ReadonlySet<string>;

  constructor(config: ExtenderConfiguration, actor: Actor, outbound: Outbound | undefined) {
    this.#config = config;
    this.#actor = actor;
    this.#outbound = outbound;
    this.#managed = new Set((config.managedResources ?? []).map(({ name }) => name));
  }

  get isIgnorable(): boolean {
    return this.#config.ignorable === true;
  }

  get isFilter(): boolean {
    return Boolean(this.#config.filterVerb);
  }

  get isPrioritizer(): boolean {
    return Boolean(this.#config.prioritizeVerb);
  }

  get isBinder(): boolean {
    return Boolean(this.#config.bindVerb);
  }

  get supportsPreemption(): boolean {
    return Boolean(this.#config.preemptVerb);
  }

  /** HTTPExtender.IsInterested: all pods, or those that ask for one of its resources. */
  isInterested({ spec }: Pod): boolean {
    if (this.#managed.size === 0) return true;
    const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
    return containers.some(({ resources }) =>
      [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})].some((name) => this.#managed.has(name)),
    );
  }

  /** HTTPExtender.Filter. @throws ExtenderError */
  async filter(pod: Pod, nodes: readonly NodeInfo[]): Promise<FilterResult> {
    const answer = await this.#send(this.#config.filterVerb, this.#args(pod, nodes));
    const error = read(answer, 'Error');
    if (error) throw new ExtenderError(String(error));
    const given = this.#config.nodeCacheCapable ? read(answer, 'NodeNames') : namesOf(read(answer, 'Nodes'));
    const names = Array.isArray(given) ? new Set(given.map(String)) : new Set(nodes.map(({ name }) => name));
    const unresolvable = textMap(read(answer, 'FailedAndUnresolvableNodes'));
    return {
      feasible: nodes.filter(({ name }) => names.has(name)),
      failed: new Map([...textMap(read(answer, 'FailedNodes')), ...unresolvable]),
      unresolvable: new Set(unresolvable.keys()),
    };
  }

  /** HTTPExtender.Prioritize: what each node's sum rises by. @throws ExtenderError */
  async prioritize(pod: Pod, nodes: readonly NodeInfo[]): Promise<ReadonlyMap<string, number>> {
    const answer = await this.#send(this.#config.prioritizeVerb, this.#args(pod, nodes));
    const list = Array.isArray(answer) ? answer : [];
    const weight = this.#config.weight ?? 1;
    return new Map(list.map((one: unknown) => [String(read(one, 'Host')), Number(read(one, 'Score') ?? 0) * weight * SCALE]));
  }

  /** HTTPExtender.Bind. @throws ExtenderError */
  async bind({ metadata }: Pod, nodeName: string): Promise<void> {
    const body = { PodName: metadata.name, PodNamespace: metadata.namespace, PodUID: metadata.uid, Node: nodeName };
    const error = read(await this.#send(this.#config.bindVerb, body), 'Error');
    if (error) throw new ExtenderError(String(error));
  }

  /** HTTPExtender.ProcessPreemption: the candidates that are left, with the victims that it names. @throws ExtenderError */
  async processPreemption(pod: Pod, candidates: readonly Candidate[]): Promise<Candidate[]> {
    const cached = this.#config.nodeCacheCapable === true;
    const victimsOf = ({ victims, numPDBViolations }: Candidate): object => ({
      Pods: victims.map((victim) => (cached ? { UID: victim.metadata.uid } : victim)),
      NumPDBViolations: numPDBViolations,
    });
    const byNode = Object.fromEntries(candidates.map((one) => [one.nodeName, victimsOf(one)]));
    const answer = await this.#send(this.#config.preemptVerb, {
      Pod: pod,
      NodeNameToVictims: cached ? null : byNode,
      NodeNameToMetaVictims: cached ? byNode : null,
    });
    const kept = (read(answer, 'NodeNameToMetaVictims') ?? {}) as Readonly<Record<string, unknown>>;
    return candidates.flatMap((candidate) => {
      const victims = kept[candidate.nodeName];
      if (victims === undefined) return [];
      const named = read(victims, 'Pods');
      const uids = new Set((Array.isArray(named) ? named : []).map((one: unknown) => String(read(one, 'UID'))));
      const numPDBViolations = Number(read(victims, 'NumPDBViolations') ?? 0);
      return [{ ...candidate, victims: candidate.victims.filter(({ metadata }) => uids.has(metadata.uid ?? '')), numPDBViolations }];
    });
  }

  /** extender/v1 ExtenderArgs */
  #args(pod: Pod, nodes: readonly NodeInfo[]): object {
    if (this.#config.nodeCacheCapable) return { Pod: pod, Nodes: null, NodeNames: nodes.map(({ name }) => name) };
    return { Pod: pod, Nodes: { metadata: {}, items: nodes.map(({ node }) => node) }, NodeNames: null };
  }

  async #send(verb = '', body: object): Promise<unknown> {
    const url = `${this.#config.urlPrefix.replace(/\/+$/, '')}/${verb}`;
    const { insecure, caData } = this.#config.tlsConfig ?? {};
    try {
      const answer = await this.#ask({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs: parseDuration(this.#config.httpTimeout ?? DEFAULT_TIMEOUT) ?? 5000,
        ...(caData ? { caBundle: caData } : {}),
        ...(insecure ? { insecure } : {}),
      });
      if (answer.status !== 200) throw new ExtenderError(`failed ${verb} with extender at URL ${url}, code ${answer.status}`);
      return JSON.parse(answer.body) as unknown;
    } catch (error) {
      if (error instanceof OutboundError) throw new ExtenderError(`Post "${url}": ${error.message}`);
      if (error instanceof SyntaxError) throw new ExtenderError(error.message);
      throw error;
    }
  }

  /** The answer comes in an event of the scheduler's own, wherever the request was answered. */
  #ask(request: Parameters<Outbound>[0]): ReturnType<Outbound> {
    const actor = this.#actor;
    const outbound = this.#outbound ?? (() => Promise.reject(new OutboundError('dial tcp: connect: connection refused')));
    return new Promise((resolve, reject) => {
      outbound(request).then(
        (answer) => void actor.schedule(0, () => actor.simulation.resolve(resolve, answer)),
        (error: unknown) => void actor.schedule(0, () => actor.simulation.resolve(reject, error)),
      );
    });
  }
}

/** Go reads fields whatever their case. */
function read(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const lower = field.toLowerCase();
  return Object.entries(value).find(([name]) => name.toLowerCase() === lower)?.[1] ?? undefined;
}

function textMap(value: unknown): Map<string, string> {
  return new Map(Object.entries((value ?? {}) as Record<string, unknown>).map(([name, text]) => [name, String(text)]));
}

function namesOf(list: unknown): string[] | undefined {
  const items = read(list, 'items');
  return Array.isArray(items) ? items.map((item: unknown) => String(read(read(item, 'metadata'), 'name'))) : undefined;
}
