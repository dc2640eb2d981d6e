import type { ApiRequest, WatchEvent } from '../api/request.ts';
import type { Cluster } from './cluster.ts';
import type { RequestFault } from './network.ts';

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
  /** A GPU of the node (0 is the first) breaks, or works again. */
  | { readonly fault: 'break-gpu'; readonly node: string; readonly gpu: number }
  | { readonly fault: 'mend-gpu'; readonly node: string; readonly gpu: number }
  /** No message passes between the component (or everything on the node) and kube-apiserver. */
  | { readonly fault: 'partition'; readonly target: string }
  | { readonly fault: 'heal'; readonly target: string }
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

type ProcessFault = Exclude<Fault['fault'], NodeFault['fault'] | 'crash-at' | 'partition' | 'heal' | 'delay-watch' | 'drop-watch-event'>;

/** Something about a node that is no matter of its processes. */
export type NodeFault = Extract<Fault, { readonly fault: 'break-gpu' | 'mend-gpu' }>;

/** One sentence for the trace. */
export function describeFault(fault: Fault): string {
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
    case 'break-gpu':
      return `GPU ${fault.gpu} of node ${fault.node} breaks`;
    case 'mend-gpu':
      return `GPU ${fault.gpu} of node ${fault.node} works again`;
    case 'partition':
      return `${fault.target} is cut off from kube-apiserver`;
    case 'heal':
      return `${fault.target} can reach kube-apiserver again`;
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
  const actors = cluster.simulation.actors;
  const known = [...actors.keys()].filter((name) => name !== 'kubectl').join(', ');
  if ('component' in fault)
    return actors.has(fault.component) ? undefined : `there is no component "${fault.component}"; there are ${known}`;
  const target = 'node' in fault ? fault.node : fault.target;
  if ('gpu' in fault && cluster.machines.get(fault.node)?.gpus.ids[fault.gpu] === undefined)
    return `node "${fault.node}" has no GPU ${fault.gpu}; it has ${cluster.machines.get(fault.node)?.gpus.ids.length ?? 0}`;
  if (processesOf(cluster, target).length) return undefined;
  if ('target' in fault && actors.has(target)) return undefined;
  return `there is no node "${target}"${'target' in fault ? ` and no component of that name; components are ${known}` : ''}`;
}

/** Does it, now. Unknown names have been refused before by `checkFault`. */
export function applyFault(cluster: Cluster, fault: Fault): void {
  const { simulation, network } = cluster;
  simulation.recordCause({ kind: 'fault', message: describeFault(fault) });
  switch (fault.fault) {
    case 'break-gpu':
    case 'mend-gpu':
      cluster.machines.get(fault.node)?.setGpuHealth(fault.gpu, fault.fault === 'mend-gpu');
      break;
    case 'partition':
      for (const name of targets(cluster, fault.target)) network.cut(name);
      break;
    case 'heal':
      for (const name of targets(cluster, fault.target)) network.restore(name);
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
