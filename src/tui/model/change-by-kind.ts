import type { Pod } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Change, Versions } from './change.ts';
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

function describePodChange({ name, before, after }: Versions): Change | undefined {
  const [old, now] = [before as Pod, after as Pod];
  if (!old.spec?.nodeName && now.spec?.nodeName) {
    return { verb: 'assigned', tail: `to node ${now.spec.nodeName}`, state: `${name} was assigned to node ${now.spec.nodeName}` };
  }
  const unscheduled = condition(now, 'PodScheduled');
  if (unscheduled?.status === 'False' && textField(unscheduled, 'message') !== textField(condition(old, 'PodScheduled'), 'message')) {
    return {
      verb: 'reported that it found no node for',
      tail: `: ${textField(unscheduled, 'message')}`,
      state: `${name} cannot be scheduled`,
    };
  }
  const parts = podProgress(old, now);
  if (parts.length === 0) return podGates(old, now, name);
  return { verb: 'reported', tail: `as ${parts.join(', ')}`, state: `${name} is ${parts.join(', ')}` };
}

function podProgress(old: Pod, now: Pod): string[] {
  const parts: string[] = [];
  const [was, is] = [podStatus(old), podStatus(now)];
  const [wasReady, isReady] = [isPodReady(old), isPodReady(now)];
  const stopped = stoppedContainers(now) - stoppedContainers(old);
  if (is !== was) parts.push(is);
  if (wasReady !== isReady) parts.push(isReady ? 'ready' : 'not ready');
  if (podRestarts(now) > podRestarts(old)) parts.push(`restarted ${podRestarts(now)} ${podRestarts(now) === 1 ? 'time' : 'times'}`);
  if (is === 'Terminating' && stopped > 0) parts.push('all containers stopped');
  if (!old.status?.podIP && now.status?.podIP && is !== 'Terminating') parts.push(`with address ${now.status.podIP}`);
  return parts;
}

function stoppedContainers(pod: Pod): number {
  return (pod.status?.containerStatuses ?? []).filter((status) => status.state?.terminated).length;
}

function podGates(old: Pod, now: Pod, name: string): Change | undefined {
  const changed = (now.status?.conditions ?? []).filter(
    ({ type, status }) => old.status?.conditions?.find((other) => other.type === type)?.status !== status,
  );
  if (changed.length === 0) return undefined;
  const words = changed.map(({ type, status }) => `${type}=${status}`).join(', ');
  return { verb: 'reported on', tail: `: ${words}`, state: `${name} has ${words}` };
}

function describeNodeChange({ name, before, after }: Versions): Change | undefined {
  const [old, now] = [textField(condition(before, 'Ready'), 'status'), textField(condition(after, 'Ready'), 'status')];
  if (old !== now && now) {
    const word = now === 'True' ? 'Ready' : now === 'False' ? 'NotReady' : 'Unknown (no heartbeat)';
    return { verb: 'reported', tail: `as ${word}`, state: `${name} is ${word}` };
  }
  const [oldTaints, newTaints] = [taints(before), taints(after)];
  const added = newTaints.filter((taint) => !oldTaints.includes(taint));
  if (added.length > 0) return { verb: 'tainted', tail: `with ${added.join(', ')}`, state: `${name} has taint ${added.join(', ')}` };
  const removed = oldTaints.filter((taint) => !newTaints.includes(taint));
  if (removed.length > 0)
    return { verb: 'untainted', tail: `: ${removed.join(', ')} is off`, state: `${name} lost taint ${removed.join(', ')}` };
  if (field(before, 'spec', 'unschedulable') !== field(after, 'spec', 'unschedulable')) {
    const cordoned = field(after, 'spec', 'unschedulable') === true;
    return {
      verb: cordoned ? 'cordoned' : 'uncordoned',
      tail: '',
      state: `${name} ${cordoned ? 'takes no new pods' : 'takes pods again'}`,
    };
  }
  const cidr = textField(after, 'spec', 'podCIDR');
  if (!textField(before, 'spec', 'podCIDR') && cidr)
    return { verb: 'gave', tail: `the pod addresses ${cidr}`, state: `${name} has pod addresses` };
  return undefined;
}

function taints(node: KubernetesObject | undefined): string[] {
  return listField(node, 'spec', 'taints').map((taint) => `${textField(taint, 'key')}:${textField(taint, 'effect')}`);
}

function describeEndpointsChange({ name, before, after }: Versions): Change | undefined {
  const [old, now] = [endpoints(before), endpoints(after)];
  const parts: string[] = [];
  for (const [address, { pod, state }] of now) {
    const was = old.get(address);
    if (!was) parts.push(`added ${pod} (${state})`);
    else if (was.state !== state) parts.push(`${pod} is ${state}`);
  }
  for (const [address, { pod }] of old) if (!now.has(address)) parts.push(`took out ${pod}`);
  if (parts.length === 0) return undefined;
  const shown = parts.length > 4 ? `${parts.slice(0, 3).join(', ')} and ${parts.length - 3} more` : parts.join(', ');
  return { verb: 'updated', tail: `: ${shown}`, state: `${name} changed: ${shown}` };
}

interface Endpoint {
  readonly pod: string;
  readonly state: string;
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

function describePhaseChange({ name, before, after }: Versions): Change | undefined {
  const [old, now] = [textField(before, 'status', 'phase'), textField(after, 'status', 'phase')];
  return old === now || !now ? undefined : { verb: 'reported', tail: `as ${now}`, state: `${name} is ${now}` };
}

function describeScale({ name, before, after }: Versions): Change | undefined {
  const [old, now] = [numberField(before, 'spec', 'replicas'), numberField(after, 'spec', 'replicas')];
  if (old === now || now === undefined) return undefined;
  return { verb: 'scaled', tail: `from ${old ?? 1} to ${now}`, state: `${name} now wants ${now} ${now === 1 ? 'pod' : 'pods'}` };
}

function describeTemplate({ name, before, after }: Versions): Change | undefined {
  const [old, now] = [field(before, 'spec', 'template'), field(after, 'spec', 'template')];
  if (!now || JSON.stringify(old) === JSON.stringify(now)) return undefined;
  const images = templateImages(after).filter((image, index) => image !== templateImages(before)[index]);
  const what = images.length > 0 ? `(image ${images.join(', ')})` : '';
  return { verb: 'changed the pod template of', tail: what, state: `${name} has a new pod template` };
}

function templateImages(object: KubernetesObject | undefined): string[] {
  return listField(object, 'spec', 'template', 'spec', 'containers').map((container) => textField(container, 'image'));
}

/** Counts in the status of workloads: how far they are. */
function describeProgress({ name, before, after, write }: Versions): Change | undefined {
  if (write.subresource !== 'status') return undefined;
  const words = progressOf(after);
  if (!words || words === progressOf(before)) return undefined;
  return { verb: 'updated the status of', tail: `: ${words}`, state: `the status of ${name} says ${words}` };
}

function progressOf(object: KubernetesObject | undefined): string {
  const count = (key: string): number => numberField(object, 'status', key) ?? 0;
  switch (object?.kind) {
    case 'Deployment':
      return `${readiness(count('readyReplicas'), numberField(object, 'spec', 'replicas') ?? 1)}, ${count('updatedReplicas')} up to date, ${count('replicas')} in all`;
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
      return `${readiness(count('readyReplicas'), numberField(object, 'spec', 'replicas') ?? 1)}, ${count('replicas')} in all`;
    case 'DaemonSet':
      return `${readiness(count('numberReady'), count('desiredNumberScheduled'))}`;
    case 'Job':
      return `${count('active')} active, ${count('succeeded')} succeeded, ${count('failed')} failed`;
    default:
      return '';
  }
}

/** During a rolling update more pods can be ready than are wanted. */
function readiness(ready: number, wanted: number): string {
  return ready > wanted ? `${ready} ready, ${wanted} wanted` : `${ready} of ${wanted} ready`;
}
