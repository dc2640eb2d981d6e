import type { KubernetesObject } from '../../api/object.ts';
import type { Change, Creation, Telling } from '../words/telling.ts';
import { EN_TELLING } from '../words/telling-en.ts';
import { describeKindChange } from './change-by-kind.ts';
import { condition, displayName, field, listField, numberField, textField } from './field.ts';
import { withoutHeartbeat } from './noise.ts';
import { changedPaths } from './object-diff.ts';
import { type RunView, readWrite, type WriteEntry } from './run-view.ts';

/** Both versions of the written object, and how to call it. */
export interface Versions {
  readonly name: string;
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
  readonly write: WriteEntry;
  readonly telling: Telling;
}

/** Puts a write into words of a language; English if absent. */
export function describeChange(run: RunView, write: WriteEntry, telling: Telling = EN_TELLING): Change {
  const read = readWrite(run, write);
  const [before, after] = [read.before && withoutHeartbeat(read.before), read.after && withoutHeartbeat(read.after)];
  const versions: Versions = { name: displayName(write.object), write, before, after, telling };
  return (
    describeLifecycle(versions) ??
    describeKindChange(versions) ??
    describeConditions(versions) ??
    describeFinalizers(versions) ??
    describeAny(versions)
  );
}

function describeLifecycle({ name, before, after, write, telling }: Versions): Change | undefined {
  if (write.verb === 'delete') return telling.write.removed(name, before?.metadata.deletionTimestamp !== undefined);
  if (write.verb === 'create') return telling.write.created(name, creationOf(write, after));
  if (!after?.metadata.deletionTimestamp) return undefined;
  const { deletionGracePeriodSeconds: grace, finalizers = [] } = after.metadata;
  if (!before?.metadata.deletionTimestamp) return telling.write.marked(name, { grace: grace ?? 0, finalizers });
  // The kubelet ends a pod's time to stop once all its containers have stopped.
  return grace === undefined || before.metadata.deletionGracePeriodSeconds === grace ? undefined : telling.write.graceCut(name, grace);
}

function creationOf({ object: { kind } }: WriteEntry, object: KubernetesObject | undefined): Creation {
  const owners = object?.metadata.ownerReferences;
  const owner = owners?.find((reference) => reference.controller) ?? owners?.[0];
  const address = textField(object, 'spec', 'clusterIP');
  return {
    isNode: kind === 'Node',
    replicas: numberField(object, 'spec', 'replicas'),
    address: address === 'None' ? '' : address,
    endpoints: listField(object, 'endpoints').length,
    owner: owner ? `${owner.kind} ${owner.name}` : '',
  };
}

/** Conditions that changed say most about objects of any kind. */
function describeConditions({ name, before, after, write, telling }: Versions): Change | undefined {
  const changed = listField(after, 'status', 'conditions').filter(
    (now) => condition(before, textField(now, 'type'))?.status !== now.status,
  );
  if (changed.length === 0 || write.object.kind === 'Pod') return undefined;
  const words = changed.map(
    (now) => `${textField(now, 'type')}=${textField(now, 'status')}${textField(now, 'reason') ? ` (${textField(now, 'reason')})` : ''}`,
  );
  return telling.write.conditions(name, telling.list(words));
}

function describeFinalizers({ name, before, after, telling }: Versions): Change | undefined {
  const [old, now] = [before?.metadata.finalizers ?? [], after?.metadata.finalizers ?? []];
  const added = now.filter((finalizer) => !old.includes(finalizer));
  const removed = old.filter((finalizer) => !now.includes(finalizer));
  if (added.length > 0) return telling.write.finalizersPut(name, telling.list(added));
  if (removed.length > 0) return telling.write.finalizersTaken(name, telling.list(removed));
  return undefined;
}

function describeAny({ name, before, after, write, telling }: Versions): Change {
  const paths = changedPaths(before, after).filter((path) => path !== 'metadata.generation');
  const status = paths.filter((path) => path.startsWith('status'));
  const shown = paths.length === status.length ? paths : paths.filter((path) => !path.startsWith('status'));
  if (paths.length > 0 && status.length === paths.length) {
    const told = shown.length > 1 ? shown.filter((path) => path !== 'status.conditions') : shown;
    const words = told.slice(0, 3).map((path) => statusWords(after, path, telling));
    return telling.write.statusUpdated(name, telling.list(words));
  }
  const parts = shown.flatMap((path) => pathWords({ before, after }, path, telling)).slice(0, 3);
  const list = telling.list([...parts, ...(shown.length > 3 ? ['..'] : [])]);
  return telling.write.updated(name, list || write.subresource || '');
}

/** `annotation x` rather than `metadata.annotations`. */
function pathWords({ before, after }: Pick<Versions, 'before' | 'after'>, path: string, telling: Telling): string[] {
  if (path !== 'metadata.annotations' && path !== 'metadata.labels') return [path];
  const place = path.split('.');
  const word = path === 'metadata.labels' ? 'label' : 'annotation';
  const [old, now] = [field(before, ...place) ?? {}, field(after, ...place) ?? {}];
  return changedPaths(old, now, 1).map((key) => telling.part.key(word, key));
}

function statusWords(object: KubernetesObject | undefined, path: string, telling: Telling): string {
  const name = path.slice('status.'.length);
  const value = field(object, ...path.split('.'));
  if (name === 'observedGeneration') return telling.part.seenGeneration(value);
  return typeof value === 'object' || value === undefined ? name : `${name} ${value}`;
}
