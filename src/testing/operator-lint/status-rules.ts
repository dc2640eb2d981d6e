import { deepEqual } from '../../api/deep-equal.ts';
import type { CustomResourceDefinition } from '../../api/kinds/apiextensions-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { BUILT_IN_RESOURCES } from '../../api/resources.ts';
import type { Finding } from './finding.ts';
import { grouped, isUpdate, type ObservedRequest, type ObservedRun, objectName } from './observed-run.ts';

interface WithStatus extends KubernetesObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly observedGeneration?: number }[];
  };
}

/** A status that does not say which generation of the spec it speaks of: who reads it cannot know whether their change has been seen. */
export function missingObservedGeneration({ requests }: ObservedRun): Finding[] {
  const wrong = requests.filter((request) => {
    const { subresource, answered } = request;
    if (!isUpdate(request) || subresource !== 'status' || isBuiltIn(request)) return false;
    const { status, metadata } = answered as WithStatus;
    if (metadata?.generation === undefined || !status || Object.keys(status).length === 0) return false;
    return (
      status.observedGeneration === undefined && !status.conditions?.some(({ observedGeneration }) => observedGeneration !== undefined)
    );
  });
  return oncePerResource(wrong, (all, first) => ({
    rule: 'missing-observed-generation',
    operator: first.operator,
    message: `wrote the status of ${objectName(first)} without observedGeneration, in it or in a condition`,
    evidence: all.map(({ seq }) => seq),
    remedy:
      'Set status.observedGeneration (and that of each condition) to metadata.generation of the object that the status was made from.',
  }));
}

/** A write of the object itself that means to change its status: the server takes the rest, and drops that. */
export function statusThroughMainResource(run: ObservedRun): Finding[] {
  const hasStatus = statusSubresources(run.objects);
  const wrong = run.requests.filter((request) => {
    const { subresource, sent, answered } = request;
    if (!isUpdate(request) || subresource !== '' || !hasStatus(request)) return false;
    const { status } = (sent ?? {}) as WithStatus;
    return status !== undefined && !contains((answered as WithStatus | undefined)?.status, status);
  });
  return oncePerResource(wrong, (all, first) => ({
    rule: 'status-through-main-resource',
    operator: first.operator,
    message: `sent a changed status with the ${first.verb} of ${objectName(first)} itself; it was dropped without a word`,
    evidence: all.map(({ seq }) => seq),
    remedy: 'Write the status through its subresource: client.resource(…).updateStatus(object), after the object itself.',
  }));
}

function oncePerResource(
  wrong: readonly ObservedRequest[],
  describe: (all: readonly ObservedRequest[], first: ObservedRequest) => Finding,
): Finding[] {
  const groups = grouped(wrong, ({ operator, group, resource }) => `${operator} ${group}/${resource}`);
  return groups.map((all) => describe(all, all[0] as ObservedRequest));
}

const BUILT_IN = new Map(BUILT_IN_RESOURCES.map((resource) => [`${resource.group}/${resource.resource}`, resource]));

function isBuiltIn({ group, resource }: ObservedRequest): boolean {
  return BUILT_IN.has(`${group}/${resource}`);
}

/** Which resources have a status of their own. */
function statusSubresources(objects: readonly KubernetesObject[]): (request: ObservedRequest) => boolean {
  const custom = new Set<string>();
  for (const { kind, spec } of objects as readonly CustomResourceDefinition[])
    if (kind === 'CustomResourceDefinition' && spec.versions.some(({ subresources }) => subresources?.status))
      custom.add(`${spec.group}/${spec.names.plural}`);
  return ({ group, resource }) => {
    const key = `${group}/${resource}`;
    return custom.has(key) || (BUILT_IN.get(key)?.subresources.some(({ name }) => name === 'status') ?? false);
  };
}

/** Whether all that was sent is there: a PUT sends all of it, a patch a part. */
function contains(there: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return deepEqual(there, sent);
  if (typeof there !== 'object' || there === null) return Object.keys(sent).length === 0;
  return Object.entries(sent).every(([key, value]) => contains((there as Record<string, unknown>)[key], value));
}
