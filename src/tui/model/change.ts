import type { KubernetesObject } from '../../api/object.ts';
import { describeKindChange } from './change-by-kind.ts';
import { condition, displayName, field, listField, numberField, textField } from './field.ts';
import { withoutHeartbeat } from './noise.ts';
import { changedPaths } from './object-diff.ts';
import { type RunView, readWrite, type WriteEntry } from './run-view.ts';

/**
 * What a write did, in words. `verb`, the object's name and `tail` make the sentence of who did it ("created", "Pod web-1", "for ReplicaSet web");
 * `state` is the clause about the object for whoever saw it ("Pod web-1 is being deleted").
 */
export interface Change {
  readonly verb: string;
  readonly tail: string;
  readonly state: string;
}

/** Both versions of the written object, and how to call it. */
export interface Versions {
  readonly name: string;
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
  readonly write: WriteEntry;
}

/** Puts a write into words. */
export function describeChange(run: RunView, write: WriteEntry): Change {
  const read = readWrite(run, write);
  const [before, after] = [read.before && withoutHeartbeat(read.before), read.after && withoutHeartbeat(read.after)];
  const versions: Versions = { name: displayName(write.object), write, before, after };
  return (
    describeLifecycle(versions) ??
    describeKindChange(versions) ??
    describeConditions(versions) ??
    describeFinalizers(versions) ??
    describeAny(versions)
  );
}

/** `created Pod web-1 for ReplicaSet web` */
export function changeSentence(change: Change, name: string): string {
  const separator = change.tail && !change.tail.startsWith(':') ? ' ' : '';
  return `${change.verb} ${name}${separator}${change.tail}`;
}

function describeLifecycle({ name, before, after, write }: Versions): Change | undefined {
  if (write.verb === 'delete')
    return { verb: 'removed', tail: before?.metadata.deletionTimestamp ? 'for good' : '', state: `${name} is gone` };
  if (write.verb === 'create')
    return {
      verb: write.object.kind === 'Node' ? 'registered' : 'created',
      tail: after ? creationTail(after) : '',
      state: `${name} was created`,
    };
  if (!after?.metadata.deletionTimestamp) return undefined;
  if (before?.metadata.deletionTimestamp) return describeShorterGrace({ name, before, after, write });
  return { verb: 'marked', tail: deletionTail(after), state: `${name} is being deleted` };
}

/** The kubelet ends a pod's time to stop once all its containers have stopped. */
function describeShorterGrace({ name, before, after }: Versions): Change | undefined {
  const [old, now] = [before?.metadata.deletionGracePeriodSeconds, after?.metadata.deletionGracePeriodSeconds];
  if (old === now || now === undefined) return undefined;
  return { verb: 'cut the time to stop of', tail: `to ${now} s`, state: `${name} has ${now} s left to stop` };
}

function creationTail(object: KubernetesObject): string {
  const owner = object.metadata.ownerReferences?.find((reference) => reference.controller) ?? object.metadata.ownerReferences?.[0];
  const parts: string[] = [];
  const replicas = numberField(object, 'spec', 'replicas');
  if (replicas !== undefined) parts.push(replicas === 1 ? 'with 1 replica' : `with ${replicas} replicas`);
  const address = textField(object, 'spec', 'clusterIP');
  if (address && address !== 'None') parts.push(`with address ${address}`);
  const endpoints = listField(object, 'endpoints');
  if (endpoints.length > 0) parts.push(`with ${endpoints.length} ${endpoints.length === 1 ? 'endpoint' : 'endpoints'}`);
  if (owner) parts.push(`for ${owner.kind} ${owner.name}`);
  return parts.join(' ');
}

function deletionTail(object: KubernetesObject): string {
  const grace = object.metadata.deletionGracePeriodSeconds ?? 0;
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.length > 0)
    return `for deletion; it stays until ${finalizers.join(', ')} ${finalizers.length === 1 ? 'is' : 'are'} taken off`;
  return grace > 0 ? `for deletion, with ${grace} s to stop` : 'for deletion';
}

/** Conditions that changed say most about objects of any kind. */
function describeConditions({ name, before, after, write }: Versions): Change | undefined {
  const changed = listField(after, 'status', 'conditions').filter(
    (now) => condition(before, textField(now, 'type'))?.status !== now.status,
  );
  if (changed.length === 0 || write.object.kind === 'Pod') return undefined;
  const words = changed.map(
    (now) => `${textField(now, 'type')}=${textField(now, 'status')}${textField(now, 'reason') ? ` (${textField(now, 'reason')})` : ''}`,
  );
  return { verb: 'reported on', tail: `: ${words.join(', ')}`, state: `${name} has ${words.join(', ')}` };
}

function describeFinalizers({ name, before, after }: Versions): Change | undefined {
  const [old, now] = [before?.metadata.finalizers ?? [], after?.metadata.finalizers ?? []];
  const added = now.filter((finalizer) => !old.includes(finalizer));
  const removed = old.filter((finalizer) => !now.includes(finalizer));
  if (added.length > 0) return { verb: 'put finalizer', tail: `: ${added.join(', ')}`, state: `${name} has finalizer ${added.join(', ')}` };
  if (removed.length > 0)
    return { verb: 'took finalizer off', tail: `: ${removed.join(', ')}`, state: `${name} lost finalizer ${removed.join(', ')}` };
  return undefined;
}

function describeAny({ name, before, after, write }: Versions): Change {
  const paths = changedPaths(before, after).filter((path) => path !== 'metadata.generation');
  const status = paths.filter((path) => path.startsWith('status'));
  const shown = paths.length === status.length ? paths : paths.filter((path) => !path.startsWith('status'));
  if (paths.length > 0 && status.length === paths.length) {
    const telling = shown.length > 1 ? shown.filter((path) => path !== 'status.conditions') : shown;
    const words = telling.slice(0, 3).map((path) => statusWords(after, path));
    return { verb: 'updated the status of', tail: `: ${words.join(', ')}`, state: `the status of ${name} changed` };
  }
  const list =
    shown
      .flatMap((path) => pathWords(before, after, path))
      .slice(0, 3)
      .join(', ') + (shown.length > 3 ? ', ..' : '');
  const what = list || write.subresource || '';
  return { verb: 'updated', tail: what ? `(${what})` : '', state: `${name} changed${what ? ` (${what})` : ''}` };
}

/** `annotation x` rather than `metadata.annotations`. */
function pathWords(before: unknown, after: unknown, path: string): string[] {
  if (path !== 'metadata.annotations' && path !== 'metadata.labels') return [path];
  const place = path.split('.');
  const word = path === 'metadata.labels' ? 'label' : 'annotation';
  const [old, now] = [field(before, ...place) ?? {}, field(after, ...place) ?? {}];
  return changedPaths(old, now, 1).map((key) => `${word} ${key}`);
}

function statusWords(object: KubernetesObject | undefined, path: string): string {
  const name = path.slice('status.'.length);
  const value = field(object, ...path.split('.'));
  if (name === 'observedGeneration') return `it has seen generation ${value}`;
  return typeof value === 'object' || value === undefined ? name : `${name} ${value}`;
}
