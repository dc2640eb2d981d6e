import { deepEqual } from '../../src/api/deep-equal.ts';
import { getControllerOf } from '../../src/api/meta.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Resource } from '../../src/api/resource.ts';
import { sha256 } from '../../src/api/sha256.ts';
import type { Client } from '../../src/client/client.ts';
import { type ControllerRevision, controllerrevisions, GROUP } from './api.ts';
import { type ChildMap, isUpToDate, type KnownRule, methodOf } from './children.ts';

type Json = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, readonly string[]>>;

/** A revision of a parent, with what its hook wants at that revision. */
interface Revision {
  /** Absent for one that is not stored yet. */
  readonly stored: ControllerRevision | undefined;
  readonly parentPatch: Json;
  readonly desired: ChildMap;
  /** Which children are at this revision, by rule. */
  names: Record<string, readonly string[]>;
}

export interface RollingOptions<Answer> {
  readonly client: Client;
  readonly parent: KubernetesObject;
  readonly resource: Resource;
  readonly rules: readonly KnownRule[];
  readonly fieldPaths: readonly string[];
  readonly observed: ChildMap;
  /** The revisions of this parent that are stored. */
  readonly stored: readonly ControllerRevision[];
  readonly labels: Readonly<Record<string, string>>;
  /** Asks the hook about the parent at some revision. */
  readonly ask: (parent: KubernetesObject) => Promise<{ readonly answer: Answer; readonly desired: ChildMap }>;
}

/**
 * What a parent wants of its children while it goes from one revision to the next, one child at a time. Which child is at which revision is stored before anything is
 * done about it. metacontroller pkg/controller/composite syncRevisions and syncRollingUpdate
 */
export async function syncRevisions<Answer>(
  options: RollingOptions<Answer>,
): Promise<{ readonly answer: Answer; readonly desired: ChildMap }> {
  const { parent, fieldPaths, stored, rules, ask } = options;
  const rolling = rules.filter((rule) => methodOf(rule).startsWith('Rolling'));
  if (rolling.length === 0) return ask(parent);
  const latestPatch = patchOf(parent, fieldPaths);
  const { answer, desired: latestDesired } = await ask(parent);
  const same = stored.find(({ parentPatch }) => deepEqual(parentPatch, latestPatch));
  const latest: Revision = { stored: same, parentPatch: latestPatch, desired: latestDesired, names: namesOf(same, rolling) };
  const old: Revision[] = [];
  for (const revision of stored) {
    if (revision === same) continue;
    const { parentPatch } = revision;
    const { desired } = await ask(atRevision(parent, parentPatch, fieldPaths));
    old.push({ stored: revision, parentPatch, desired, names: namesOf(revision, rolling) });
  }
  const desired = { ...latestDesired };
  for (const rule of rolling) claim(rule, { latest, old, desired });
  moveOne(options, { rolling, latest, old, desired });
  await storeRevisions(options, { rolling, latest, old });
  return { answer, desired };
}

interface Rollout {
  readonly latest: Revision;
  readonly old: readonly Revision[];
  readonly desired: ChildMap;
}

/** Children that belong to an older revision are wanted as that revision has them; all others are of the latest. */
function claim({ key }: KnownRule, { latest, old, desired }: Rollout): void {
  const wanted = { ...latest.desired[key] };
  const names = Object.keys(wanted);
  for (const revision of old) {
    const held = (revision.names[key] ?? []).filter((name) => wanted[name] && !latest.names[key]?.includes(name));
    revision.names[key] = held;
    for (const name of held) {
      const before = revision.desired[key]?.[name];
      if (before) wanted[name] = before;
    }
  }
  latest.names[key] = names.filter((name) => !old.some((revision) => revision.names[key]?.includes(name)));
  desired[key] = wanted;
}

/** Moves the next child to the latest revision, unless one that was moved is not well yet. */
function moveOne<Answer>(
  { observed }: RollingOptions<Answer>,
  { rolling, latest, old, desired }: Rollout & { readonly rolling: readonly KnownRule[] },
): void {
  const waits = rolling.some((rule) => (latest.names[rule.key] ?? []).some((name) => !isWell(rule, { latest, observed, name })));
  if (waits) return;
  for (const { key } of rolling)
    for (const [name, object] of Object.entries(latest.desired[key] ?? {})) {
      const holder = old.find((revision) => revision.names[key]?.includes(name));
      if (!holder) continue;
      holder.names[key] = (holder.names[key] ?? []).filter((other) => other !== name);
      latest.names[key] = [...(latest.names[key] ?? []), name];
      desired[key] = { ...desired[key], [name]: object };
      return;
    }
}

interface Looked {
  readonly latest: Revision;
  readonly observed: ChildMap;
  readonly name: string;
}

/** metacontroller pkg/controller/composite shouldContinueRolling and childStatusCheck */
function isWell({ key, rule }: KnownRule, { latest, observed, name }: Looked): boolean {
  const [child, wanted] = [observed[key]?.[name], latest.desired[key]?.[name]];
  if (!child || !wanted || child.metadata.deletionTimestamp || !isUpToDate(child, wanted)) return false;
  const { status } = child as { status?: { conditions?: readonly { type: string; status?: string; reason?: string }[] } };
  return (rule.updateStrategy?.statusChecks?.conditions ?? []).every((check) => {
    const found = status?.conditions?.find(({ type }) => type === check.type);
    return (
      found !== undefined &&
      (check.status === undefined || found.status === check.status) &&
      (check.reason === undefined || found.reason === check.reason)
    );
  });
}

async function storeRevisions<Answer>(
  options: RollingOptions<Answer>,
  { rolling, latest, old }: Omit<Rollout, 'desired'> & { readonly rolling: readonly KnownRule[] },
): Promise<void> {
  const requests = options.client.resource(controllerrevisions);
  for (const revision of [latest, ...old]) {
    const children = childrenOf(rolling, revision.names);
    const { stored } = revision;
    if (!stored) await requests.create(newRevision(options, revision.parentPatch, children));
    else if (revision !== latest && children.length === 0)
      await requests.delete({ namespace: stored.metadata.namespace, name: stored.metadata.name ?? '' });
    else if (!deepEqual(stored.children ?? [], children)) await requests.update({ ...stored, children });
  }
}

function newRevision<Answer>(
  { parent, resource, labels }: RollingOptions<Answer>,
  parentPatch: Json,
  children: NonNullable<ControllerRevision['children']>,
): ControllerRevision {
  const { namespace, name = '', uid = '' } = parent.metadata;
  const hash = sha256(JSON.stringify([uid, parentPatch]))
    .slice(0, 5)
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'));
  const owner = { apiVersion: parent.apiVersion ?? '', kind: parent.kind ?? '', name, uid, controller: true, blockOwnerDeletion: true };
  const own = { [`${GROUP}/apiGroup`]: resource.group, [`${GROUP}/resource`]: resource.resource };
  return {
    metadata: {
      name: `${resource.resource}.${resource.group}-${hash.join('')}`,
      ...(namespace ? { namespace } : {}),
      labels: { ...labels, ...own },
      ownerReferences: [owner],
    },
    parentPatch,
    children,
  };
}

/** The revisions that a parent controls. */
export function revisionsOf(parent: KubernetesObject, all: readonly ControllerRevision[]): ControllerRevision[] {
  return all.filter((revision) => getControllerOf(revision)?.uid === parent.metadata.uid);
}

function namesOf(revision: ControllerRevision | undefined, rolling: readonly KnownRule[]): Record<string, readonly string[]> {
  const find = ({ resource }: KnownRule): readonly string[] =>
    revision?.children?.find(({ apiGroup, kind }) => apiGroup === resource.group && kind === resource.kind)?.names ?? [];
  return Object.fromEntries(rolling.map((rule) => [rule.key, find(rule)]));
}

function childrenOf(rolling: readonly KnownRule[], names: Names): NonNullable<ControllerRevision['children']> {
  return rolling.flatMap(({ key, resource }) => {
    const held = names[key] ?? [];
    return held.length ? [{ apiGroup: resource.group, kind: resource.kind, names: held }] : [];
  });
}

/** Only these fields of the parent. */
function patchOf(parent: KubernetesObject, fieldPaths: readonly string[]): Json {
  return withFieldsOf({}, parent as unknown as Json, fieldPaths);
}

/** The parent with these fields as they were. */
function atRevision(parent: KubernetesObject, patch: Json, fieldPaths: readonly string[]): KubernetesObject {
  return withFieldsOf(parent as unknown as Json, patch, fieldPaths) as unknown as KubernetesObject;
}

function withFieldsOf(base: Json, source: Json, fieldPaths: readonly string[]): Json {
  return fieldPaths.reduce((out, path) => {
    const parts = path.split('.');
    const value = parts.reduce<unknown>((at, part) => (at as Json | undefined)?.[part], source);
    return value === undefined ? out : withField(out, parts, value);
  }, base);
}

function withField(base: Json, [first = '', ...rest]: readonly string[], value: unknown): Json {
  return { ...base, [first]: rest.length ? withField((base[first] ?? {}) as Json, rest, value) : value };
}
