import type { ApiRequest, WatchEvent } from '../api/request.ts';
import type { Cluster } from './cluster.ts';
import type { RequestFault } from './network.ts';
import { applyNodeFault, checkNodeFault, describeNodeFault, isNodeFault, type NodeFault } from './node-faults.ts';

/** Something that goes wrong, or is put right again. Plain data: it goes into recordings. */
export type Fault =
  /** A process ends at once and (unless `restart` undoes it) stays down. `component` is an actor's name, e.g. `kube-scheduler`, `kubelet/n1`. */
  | { readonly fault: 'crash'; readonly component: string }
  /** The process ends at its next such request: when the answer arrives, before it does anything with it; or before the request is sent. */
  | {
      readonly fault: 'crash-at';
      readonly component: string;
      readonly verb: string;
      /** Plural, e.g. `services`. */
      readonly resource: string;
      readonly subresource?: string;
      readonly when?: 'unsent' | 'answered';
    }
  | { readonly fault: 'restart'; readonly component: string }
  /** The process stands still, as after SIGSTOP, and goes on where it was. */
  | { readonly fault: 'pause'; readonly component: string }
  | { readonly fault: 'resume'; readonly component: string }
  /** Power off: everything on the node ends at once. */
  | { readonly fault: 'stop-node'; readonly node: string }
  | { readonly fault: 'start-node'; readonly node: string }
  | NodeFault
  /** The cloud refuses such calls (`EnsureLoadBalancer`) with this text. Without a text it does what it is asked again. */
  | { readonly fault: 'cloud-refuses'; readonly method: string; readonly message?: string }
  /** No message passes between the component (or everything on the node) and kube-apiserver. */
  | { readonly fault: 'partition'; readonly target: string }
  | { readonly fault: 'heal'; readonly target: string }
  /** Every message between the component (or everything on the node) and kube-apiserver takes this much longer. 0 puts it right. */
  | { readonly fault: 'slow-network'; readonly target: string; readonly ms: number }
  /** kube-apiserver is down for a while, and comes back by itself. */
  | { readonly fault: 'apiserver-outage'; readonly ms: number }
  /** kube-apiserver answers 429 to what finds no place in its queues: the share (0 to 1) of the requests of a priority level, or of all that have limits. 0 puts it right. */
  | { readonly fault: 'overload-apiserver'; readonly share: number; readonly priorityLevel?: string }
  /** Watch events reach the component this much later. 0 puts it right. */
  | { readonly fault: 'delay-watch'; readonly component: string; readonly ms: number }
  /** The next watch event about such an object does not reach the component. A crash of the component ends it, as it ends the connections that the event would have come by. */
  | {
      readonly fault: 'drop-watch-event';
      readonly component: string;
      readonly kind?: string;
      readonly name?: string;
      readonly type?: 'ADDED' | 'MODIFIED' | 'DELETED';
    };

/** Something about the way to kube-apiserver. */
type ApiserverFault = Extract<Fault, { readonly fault: 'slow-network' | 'apiserver-outage' | 'overload-apiserver' }>;

type ProcessFault = Exclude<
  Fault['fault'],
  ApiserverFault['fault'] | NodeFault['fault'] | 'cloud-refuses' | 'crash-at' | 'partition' | 'heal' | 'delay-watch' | 'drop-watch-event'
>;

/** One sentence for the trace. */
export function describeFault(fault: Fault): string {
  if (isNodeFault(fault)) return describeNodeFault(fault);
  switch (fault.fault) {
    case 'crash':
      return `${fault.component} crashes`;
    case 'crash-at':
      return `${fault.component} will crash ${fault.when === 'unsent' ? 'before' : 'after'} its next ${fault.verb} of ${fault.resource}${fault.subresource ? `/${fault.subresource}` : ''}`;
    case 'restart':
      return `${fault.component} is started again`;
    case 'pause':
      return `${fault.component} stands still`;
    case 'resume':
      return `${fault.component} goes on`;
    case 'stop-node':
      return `node ${fault.node} loses power`;
    case 'start-node':
      return `node ${fault.node} is switched on`;
    case 'cloud-refuses':
      return fault.message ? `the cloud refuses ${fault.method}: ${fault.message}` : `the cloud does ${fault.method} again`;
    case 'partition':
      return `${fault.target} is cut off from kube-apiserver`;
    case 'heal':
      return `${fault.target} can reach kube-apiserver again`;
    case 'slow-network':
      return fault.ms
        ? `messages between ${fault.target} and kube-apiserver take ${fault.ms} ms longer`
        : `messages between ${fault.target} and kube-apiserver are as fast as ever`;
    case 'apiserver-outage':
      return `kube-apiserver goes down for ${fault.ms} ms`;
    case 'overload-apiserver':
      return fault.share
        ? `${Math.round(fault.share * 100)} % of the requests ${fault.priorityLevel ? `of priority level ${fault.priorityLevel} ` : ''}are too many for kube-apiserver`
        : 'kube-apiserver is not overloaded any more';
    case 'delay-watch':
      return fault.ms ? `watch events reach ${fault.component} ${fault.ms} ms late` : `watch events reach ${fault.component} in time again`;
    case 'drop-watch-event':
      return `${fault.component} will miss the next ${fault.type ?? 'change'} of ${fault.kind ?? 'any object'}${fault.name ? ` ${fault.name}` : ''}`;
  }
}

/** The processes that run on a node. */
export function processesOf(cluster: Cluster, node: string): string[] {
  return [...cluster.simulation.actors.keys()].filter((name) => name.endsWith(`/${node}`));
}

/** Whether the cluster has what the fault names; else what is wrong with it, in words for a person. */
export function checkFault(cluster: Cluster, fault: Fault): string | undefined {
  if (isNodeFault(fault)) return checkNodeFault(cluster, fault);
  if (fault.fault === 'cloud-refuses') return cluster.cloud ? undefined : 'the cluster runs on no cloud';
  const actors = cluster.simulation.actors;
  const known = [...actors.keys()].filter((name) => name !== 'kubectl').join(', ');
  if ('component' in fault)
    return actors.has(fault.component) ? undefined : `there is no component "${fault.component}"; there are ${known}`;
  if (!('node' in fault || 'target' in fault)) return undefined;
  const target = 'node' in fault ? fault.node : fault.target;
  if (processesOf(cluster, target).length) return undefined;
  if ('target' in fault && actors.has(target)) return undefined;
  return `there is no node "${target}"${'target' in fault ? ` and no component of that name; components are ${known}` : ''}`;
}

/** Does it, now. Unknown names have been refused before by `checkFault`. */
export function applyFault(cluster: Cluster, fault: Fault): void {
  const { simulation, network } = cluster;
  simulation.recordCause({ kind: 'fault', message: describeFault(fault) });
  if (isNodeFault(fault)) {
    applyNodeFault(cluster, fault, () => stopNode(cluster, fault));
    return;
  }
  switch (fault.fault) {
    case 'cloud-refuses':
      if (fault.message) cluster.cloud?.failures.set(fault.method, fault.message);
      else cluster.cloud?.failures.delete(fault.method);
      break;
    case 'partition':
      for (const name of targets(cluster, fault.target)) network.cut(name);
      break;
    case 'heal':
      for (const name of targets(cluster, fault.target)) network.restore(name);
      break;
    case 'slow-network':
    case 'apiserver-outage':
    case 'overload-apiserver':
      applyToApiserver(cluster, fault);
      break;
    case 'delay-watch':
      network.slowWatches(fault.component, fault.ms);
      break;
    case 'crash-at':
      network.failNext(fault.component, (request) => crashRule(fault, request));
      break;
    case 'drop-watch-event':
      network.dropNext(fault.component, (event) => isMeant(fault, event));
      break;
    default: {
      const names = 'node' in fault ? processesOf(cluster, fault.node) : [fault.component];
      for (const name of names) applyToProcess(cluster, fault.fault, name);
    }
  }
}

function applyToApiserver(cluster: Cluster, fault: ApiserverFault): void {
  const { simulation, network, apiserver } = cluster;
  switch (fault.fault) {
    case 'slow-network':
      for (const name of targets(cluster, fault.target)) network.slow(name, fault.ms);
      break;
    case 'overload-apiserver': {
      const { share, priorityLevel } = fault;
      apiserver.overload(share > 0 ? { share, ...(priorityLevel ? { priorityLevel } : {}) } : undefined);
      break;
    }
    case 'apiserver-outage':
      applyToProcess(cluster, 'crash', 'kube-apiserver');
      simulation.actors.get('kubectl')?.schedule(fault.ms, () => applyFault(cluster, { fault: 'restart', component: 'kube-apiserver' }));
      break;
  }
}

function stopNode(cluster: Cluster, fault: NodeFault): void {
  if ('node' in fault) for (const name of processesOf(cluster, fault.node)) applyToProcess(cluster, 'stop-node', name);
}

function applyToProcess(cluster: Cluster, what: ProcessFault, name: string): void {
  const actor = cluster.simulation.actors.get(name);
  switch (what) {
    case 'crash':
    case 'stop-node':
      if (name === 'kube-apiserver') cluster.network.closeAll();
      cluster.network.dropNone(name);
      actor?.crash();
      break;
    case 'restart':
    case 'start-node':
      actor?.start();
      break;
    case 'pause':
      actor?.pause();
      break;
    case 'resume':
      actor?.resume();
      break;
  }
}

function crashRule(fault: Fault & { fault: 'crash-at' }, { info }: ApiRequest): RequestFault | undefined {
  const { verb, resource, subresource = '', when = 'answered' } = fault;
  if (info.verb !== verb || info.resource !== resource || info.subresource !== subresource) return undefined;
  return { carriedOut: true, crash: when };
}

function isMeant(fault: Fault & { fault: 'drop-watch-event' }, { type, object }: WatchEvent): boolean {
  const { kind, metadata } = object as { kind?: string; metadata?: { name?: string } };
  return (!fault.type || fault.type === type) && (!fault.kind || fault.kind === kind) && (!fault.name || fault.name === metadata?.name);
}

function targets(cluster: Cluster, target: string): string[] {
  const onNode = processesOf(cluster, target);
  return onNode.length ? onNode : [target];
}
