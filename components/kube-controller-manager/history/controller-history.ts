import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { ControllerRevision } from '../../../src/api/kinds/apps-v1.ts';
import type { PodTemplateSpec } from '../../../src/api/kinds/core-v1.ts';
import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { isAlreadyExists } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { retryOnConflict } from '../../../src/client/retry.ts';
import { hashControllerRevision } from './revision-hash.ts';

/** pkg/controller/history/controller_history.go ControllerRevisionHashLabel */
const CONTROLLER_REVISION_HASH_LABEL = 'controller.kubernetes.io/hash';

const MAX_NAME_PREFIX = 223;

/** What a revision of a workload keeps: its pod template, as a patch that puts the template back. */
export interface TemplatePatch {
  readonly spec: { readonly template: Readonly<Record<string, unknown>> };
}

/** A revision that is not stored yet. */
export interface RevisionDraft {
  readonly parent: KubernetesObject;
  readonly controllerRef: OwnerReference;
  readonly data: TemplatePatch;
  readonly revision: number;
}

/** pkg/controller/statefulset/stateful_set_utils.go getPatch, pkg/controller/daemon/update.go getPatch */
export function getPatch(template: PodTemplateSpec | undefined): TemplatePatch {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** The template that a revision keeps. */
export function templateOf(revision: ControllerRevision): PodTemplateSpec {
  const data = revision.data as TemplatePatch | undefined;
  const { $patch: _, ...template } = data?.spec.template ?? {};
  return template;
}

/** pkg/controller/history/controller_history.go NewControllerRevision */
export function newControllerRevision(
  { parent, controllerRef, data, revision }: RevisionDraft,
  labels: Record<string, string> | undefined,
): ControllerRevision {
  const { namespace = '', annotations } = parent.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      namespace,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ownerReferences: [controllerRef],
    },
    data,
    revision,
  };
}

/** pkg/controller/history/controller_history.go ControllerRevisionName */
function controllerRevisionName(prefix: string, hash: string): string {
  return `${prefix.slice(0, MAX_NAME_PREFIX)}-${hash}`;
}

/** pkg/controller/history/controller_history.go EqualRevision */
export function equalRevision(a: ControllerRevision, b: ControllerRevision): boolean {
  return deepEqual(a.data, b.data);
}

/** Oldest first: pkg/controller/history/controller_history.go SortControllerRevisions */
export function sortControllerRevisions(revisions: readonly ControllerRevision[]): ControllerRevision[] {
  return [...revisions].sort((a, b) => a.revision - b.revision || compareAge(a, b));
}

function compareAge(a: ControllerRevision, b: ControllerRevision): number {
  const [left, right] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp} ${metadata.name}`) as [string, string];
  return left < right ? -1 : 1;
}

/**
 * Stores a revision under a name made of its hash. When another revision has the name, the collision count goes up and another name is tried.
 * pkg/controller/history/controller_history.go CreateControllerRevision
 */
export async function createControllerRevision(
  client: ResourceClient<ControllerRevision>,
  draft: RevisionDraft & { readonly labels: Record<string, string> | undefined },
  collisionCount: number,
): Promise<{ revision: ControllerRevision; collisionCount: number }> {
  const { name: parentName = '', namespace } = draft.parent.metadata;
  for (let count = collisionCount; ; count++) {
    const hash = hashControllerRevision(draft.data, count);
    const name = controllerRevisionName(parentName, hash);
    const drafted = newControllerRevision(draft, { ...draft.labels, [CONTROLLER_REVISION_HASH_LABEL]: hash });
    const named = { ...drafted, metadata: { ...drafted.metadata, name } };
    try {
      return { revision: await client.create(named), collisionCount: count };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const exists = await client.get({ namespace, name });
    if (deepEqual(exists.data, draft.data)) return { revision: exists, collisionCount: count };
  }
}

/** pkg/controller/history/controller_history.go UpdateControllerRevision */
export function updateControllerRevision(
  client: ResourceClient<ControllerRevision>,
  revision: ControllerRevision,
  number: number,
): Promise<ControllerRevision> {
  const { namespace, name = '' } = revision.metadata;
  let current = revision;
  let first = true;
  return retryOnConflict({ actor: client.actor }, async () => {
    if (!first) current = await client.get({ namespace, name });
    first = false;
    return current.revision === number ? current : client.update({ ...current, revision: number });
  });
}

/** pkg/controller/history/controller_history.go AdoptControllerRevision */
export async function adoptControllerRevision(
  client: ResourceClient<ControllerRevision>,
  revision: ControllerRevision,
  controllerRef: OwnerReference,
): Promise<void> {
  const { namespace, name = '', uid } = revision.metadata;
  await client.patch({ namespace, name }, { metadata: { uid, ownerReferences: [controllerRef] } }, { type: 'strategic' });
}
