import type { Pod } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Change, EndpointState, Telling } from '../words/telling.ts';
import type { Versions } from './change.ts';
import { condition, field, isJsonObject, listField, numberField, textField } from './field.ts';
import { isPodReady, podRestarts, podStatus } from './pod-status.ts';

/** Words for the changes that matter most in the kinds that people meet first. Undefined where a kind has nothing special to say. */
export function describeKindChange(versions: Versions): Change | undefined {
  if (!versions.before || !versions.after) return undefined;
  switch (versions.write.object.kind) {
    case 'Pod':
      return describePodChange(versions);
    case 'Node':
      return describeNodeChange(versions);
    case 'EndpointSlice':
    case 'Endpoints':
      return describeEndpointsChange(versions);
    case 'PersistentVolumeClaim':
    case 'PersistentVolume':
    case 'Namespace':
      return describePhaseChange(versions);
    default:
      return describeScale(versions) ?? describeTemplate(versions) ?? describeProgress(versions);
  }
}

function describePodChange({ name, before, after, telling }: Versions): Change | undefined {
  const [old, now] = [before as Pod, after as Pod];
  if (!old.spec?.nodeName && now.spec?.nodeName) {
    return telling.write.assigned(name, now.spec.nodeName);
  }
  const unscheduled = condition(now, 'PodScheduled');
  if (unscheduled?.status === 'False' && textField(unscheduled, 'message') !== textField(condition(old, 'PodScheduled'), 'message'))
    return telling.write.noNode(name, textField(unscheduled, 'message'));
  const parts = podProgress(old, now, telling);
  if (parts.length > 0) return telling.write.reported(name, telling.list(parts));
  const gates = podGates(old, now);
  return gates.length > 0 ? telling.write.conditions(name, telling.list(gates)) : undefined;
}

function podProgress(old: Pod, now: Pod, { part }: Telling): string[] {
  const parts: string[] = [];
  const [was, is] = [podStatus(old), podStatus(now)];
  const [wasReady, isReady] = [isPodReady(old), isPodReady(now)];
  const stopped = stoppedContainers(now) - stoppedContainers(old);
  if (is !== was) parts.push(is);
  if (wasReady !== isReady) parts.push(part.ready(isReady));
  if (podRestarts(now) > podRestarts(old)) parts.push(part.restarted(podRestarts(now)));
  if (is === 'Terminating' && stopped > 0) parts.push(part.allStopped);
  if (!old.status?.podIP && now.status?.podIP && is !== 'Terminating') parts.push(part.withAddress(now.status.podIP));
  return parts;
}

function stoppedContainers(pod: Pod): number {
  return (pod.status?.containerStatuses ?? []).filter((status) => status.state?.terminated).length;
}

function podGates(old: Pod, now: Pod): string[] {
  const before = old.status?.conditions ?? [];
  return (now.status?.conditions ?? [])
    .filter(({ type, status }) => before.find((other) => other.type === type)?.status !== status)
    .map(({ type, status }) => `${type}=${status}`);
}

function describeNodeChange({ name, before, after, telling }: Versions): Change | undefined {
  const [old, now] = [textField(condition(before, 'Ready'), 'status'), textField(condition(after, 'Ready'), 'status')];
  if (old !== now && now) {
    return telling.write.reported(name, now === 'True' ? 'Ready' : now === 'False' ? 'NotReady' : telling.part.noHeartbeat);
  }
  const [oldTaints, newTaints] = [taints(before), taints(after)];
  const added = newTaints.filter((taint) => !oldTaints.includes(taint));
  if (added.length > 0) return telling.write.tainted(name, telling.list(added));
  const removed = oldTaints.filter((taint) => !newTaints.includes(taint));
  if (removed.length > 0) return telling.write.untainted(name, telling.list(removed));
  if (field(before, 'spec', 'unschedulable') !== field(after, 'spec', 'unschedulable'))
    return telling.write.cordoned(name, field(after, 'spec', 'unschedulable') === true);
  const cidr = textField(after, 'spec', 'podCIDR');
  if (!textField(before, 'spec', 'podCIDR') && cidr) return telling.write.givenAddresses(name, cidr);
  return undefined;
}

function taints(node: KubernetesObject | undefined): string[] {
  return listField(node, 'spec', 'taints').map((taint) => `${textField(taint, 'key')}:${textField(taint, 'effect')}`);
}

function describeEndpointsChange({ name, before, after, telling }: Versions): Change | undefined {
  const [old, now] = [endpoints(before), endpoints(after)];
  const parts: string[] = [];
  for (const [address, { pod, state }] of now) {
    const was = old.get(address);
    if (!was) parts.push(telling.part.added(pod, state));
    else if (was.state !== state) parts.push(telling.part.isNow(pod, state));
  }
  for (const [address, { pod }] of old) if (!now.has(address)) parts.push(telling.part.tookOut(pod));
  if (parts.length === 0) return undefined;
  const shown = parts.length > 4 ? telling.listing([telling.list(parts.slice(0, 3)), telling.more(parts.length - 3)]) : telling.list(parts);
  return telling.write.endpoints(name, shown);
}

interface Endpoint {
  readonly pod: string;
  readonly state: EndpointState;
}

/** By address; of an EndpointSlice, or of the older Endpoints. */
function endpoints(slice: KubernetesObject | undefined): Map<string, Endpoint> {
  const found = new Map<string, Endpoint>();
  for (const subset of listField(slice, 'subsets')) {
    for (const [key, state] of [
      ['addresses', 'ready'],
      ['notReadyAddresses', 'not ready'],
    ] as const) {
      for (const address of listField(subset, key))
        found.set(textField(address, 'ip'), { pod: textField(address, 'targetRef', 'name') || textField(address, 'ip'), state });
    }
  }
  for (const endpoint of listField(slice, 'endpoints')) {
    const addresses = endpoint.addresses;
    const address = Array.isArray(addresses) ? String(addresses[0]) : '';
    const conditions = isJsonObject(endpoint.conditions) ? endpoint.conditions : {};
    const state = conditions.ready !== false ? 'ready' : conditions.terminating === true ? 'terminating' : 'not ready';
    found.set(address, { pod: textField(endpoint, 'targetRef', 'name') || address, state });
  }
  return found;
}

function describePhaseChange({ name, before, after, telling }: Versions): Change | undefined {
  const [old, now] = [textField(before, 'status', 'phase'), textField(after, 'status', 'phase')];
  return old === now || !now ? undefined : telling.write.reported(name, now);
}

function describeScale({ name, before, after, telling }: Versions): Change | undefined {
  const [old, now] = [numberField(before, 'spec', 'replicas'), numberField(after, 'spec', 'replicas')];
  if (old === now || now === undefined) return undefined;
  return telling.write.scaled(name, old ?? 1, now);
}

function describeTemplate({ name, before, after, telling }: Versions): Change | undefined {
  const [old, now] = [field(before, 'spec', 'template'), field(after, 'spec', 'template')];
  if (!now || JSON.stringify(old) === JSON.stringify(now)) return undefined;
  const images = templateImages(after).filter((image, index) => image !== templateImages(before)[index]);
  return telling.write.template(name, telling.list(images));
}

function templateImages(object: KubernetesObject | undefined): string[] {
  return listField(object, 'spec', 'template', 'spec', 'containers').map((container) => textField(container, 'image'));
}

/** Counts in the status of workloads: how far they are. */
function describeProgress({ name, before, after, write, telling }: Versions): Change | undefined {
  if (write.subresource !== 'status') return undefined;
  const words = telling.list(progressOf(after, telling.part));
  if (!words || words === telling.list(progressOf(before, telling.part))) return undefined;
  return telling.write.progress(name, words);
}

function progressOf(object: KubernetesObject | undefined, part: Telling['part']): string[] {
  const count = (key: string): number => numberField(object, 'status', key) ?? 0;
  const ready = (): string => part.readiness(count('readyReplicas'), numberField(object, 'spec', 'replicas') ?? 1);
  switch (object?.kind) {
    case 'Deployment':
      return [ready(), part.upToDate(count('updatedReplicas')), part.inAll(count('replicas'))];
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
      return [ready(), part.inAll(count('replicas'))];
    case 'DaemonSet':
      return [part.readiness(count('numberReady'), count('desiredNumberScheduled'))];
    case 'Job':
      return [part.job(count('active'), count('succeeded'), count('failed'))];
    default:
      return [];
  }
}
