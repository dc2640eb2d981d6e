import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { DeleteOptions } from '../../../src/api/kinds/meta-v1.ts';
import type { Eviction, PodDisruptionBudget } from '../../../src/api/kinds/policy-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { poddisruptionbudgets } from '../../../src/api/resources.ts';
import { ApiStatusError, newBadRequest, newForbidden, newNotFound } from '../../../src/api/status-error.ts';
import { loopbackWrite } from '../loopback.ts';
import type { RequestContext } from '../request-context.ts';
import { type Steps, wait } from '../steps.ts';
import { commitPut } from '../storage/commit.ts';
import { bodyOf } from './body.ts';
import { decodeAs } from './decode-body.ts';
import { deleteWithAdmission } from './delete.ts';

const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' };
const MAX_DISRUPTED_PODS = 2000;
const RETRY_AFTER_SECONDS = 10;
/** The budget is written by a request of its own: its controller hears of it before the pod goes. */
const BUDGET_WRITE_MS = 4;

/** POST to pods/eviction: a delete that asks the disruption budgets first. pkg/registry/core/pod/storage.EvictionREST.Create */
export function* evictPod(context: RequestContext): Steps<ApiResponse> {
  const { request, namespace } = context;
  const { name } = request.info;
  const eviction = decodeAs<Eviction>(context, EVICTION, bodyOf(context, EVICTION));
  if (eviction.metadata?.name !== name) throw newBadRequest('name in URL does not match name in Eviction object');
  const options: DeleteOptions = eviction.deleteOptions ?? {};
  const scope: RequestContext = { ...context, dryRun: context.dryRun || Boolean(options.dryRun?.length) };
  const pod = podOf(scope, name);
  const attributes = { context: scope, operation: 'CREATE', name, object: eviction as KubernetesObject } as const;
  const admitted = yield* scope.server.admission.mutate(attributes);
  yield* scope.server.admission.validate({ ...attributes, object: admitted });
  if (!ignoresBudgets(pod)) {
    const budgets = budgetsOf(scope, pod);
    if (budgets.length > 1) {
      throw new ApiStatusError({
        message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
        code: 500,
      });
    }
    const [budget] = budgets;
    if (budget && !mayGoUnhealthy(pod, budget)) {
      chargeBudget(scope, pod, budget);
      const { actor } = scope.server.config;
      if (actor && !scope.dryRun) yield* wait(actor.sleep(BUDGET_WRITE_MS));
    }
  }
  assertUid(pod, options);
  if (!scope.dryRun) markDisrupted(scope, podOf(scope, name));
  yield* deleteWithAdmission({ ...scope, subresource: '', namespace }, { name, attributesName: name, options });
  return { code: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
}

function podOf(context: RequestContext, name: string): Pod {
  const pod = context.storage.get(context.namespace, name);
  if (!pod) throw newNotFound(context.resource, name);
  return pod as Pod;
}

/** Pods that disrupt nobody by going. */
function ignoresBudgets({ metadata, status }: Pod): boolean {
  const { phase } = status ?? {};
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || metadata.deletionTimestamp !== undefined;
}

function budgetsOf({ server, namespace }: RequestContext, pod: Pod): PodDisruptionBudget[] {
  const budgets = server.storage(poddisruptionbudgets).list(namespace);
  return budgets.filter(({ spec }) => labelSelectorAsSelector(spec?.selector).matches(pod.metadata.labels));
}

/** A pod that does not serve anyway may go, if the budget says so or has what it needs. */
function mayGoUnhealthy(pod: Pod, { spec, status }: PodDisruptionBudget): boolean {
  if (pod.status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True')) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return (status?.desiredHealthy ?? 0) > 0 && (status?.currentHealthy ?? 0) >= (status?.desiredHealthy ?? 0);
}

/** pkg/registry/core/pod/storage.EvictionREST.checkAndDecrement */
function chargeBudget(context: RequestContext, pod: Pod, budget: PodDisruptionBudget): void {
  const { metadata, status } = budget;
  const name = metadata.name ?? '';
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, RETRY_AFTER_SECONDS);
  const allowed = status?.disruptionsAllowed ?? 0;
  const refuse = (why: string): ApiStatusError => newForbidden(poddisruptionbudgets, name, why);
  if (allowed < 0) throw refuse('pdb disruptions allowed is negative');
  if (Object.keys(status?.disruptedPods ?? {}).length > MAX_DISRUPTED_PODS)
    throw refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (allowed === 0)
    throw tooMany(
      `The disruption budget ${name} needs ${status?.desiredHealthy ?? 0} healthy pods and has ${status?.currentHealthy ?? 0} currently`,
    );
  if (context.dryRun) return;
  const disruptedPods = { ...status?.disruptedPods, [pod.metadata.name ?? '']: context.server.now };
  const conditions = allowed === 1 ? withoutDisruptions(context, budget) : status?.conditions;
  const changed = {
    ...budget,
    status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods, ...(conditions ? { conditions } : {}) },
  } as PodDisruptionBudget;
  loopbackWrite(context.server, changed, { resource: poddisruptionbudgets, verb: 'update', subresource: 'status' });
}

/** pkg/apis/policy helper.UpdateDisruptionAllowedCondition when none are left */
function withoutDisruptions(
  context: RequestContext,
  { metadata, status }: PodDisruptionBudget,
): NonNullable<NonNullable<PodDisruptionBudget['status']>['conditions']> {
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: context.server.now,
    reason: 'InsufficientPods',
    message: '',
  };
  const others = status?.conditions ?? [];
  const present = others.find(({ type }) => type === condition.type);
  if (!present) return [...others, condition];
  const { lastTransitionTime } = present.status === 'False' ? present : condition;
  return others.map((other) => (other === present ? { ...condition, lastTransitionTime } : other));
}

function tooMany(why: string, retryAfterSeconds?: number): ApiStatusError {
  return new ApiStatusError({
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    reason: 'TooManyRequests',
    details: { causes: [{ reason: 'DisruptionBudget', message: why }], ...(retryAfterSeconds ? { retryAfterSeconds } : {}) },
    code: 429,
  });
}

function assertUid({ metadata }: Pod, { preconditions }: DeleteOptions): void {
  const uid = preconditions?.uid;
  if (uid === undefined || uid === metadata.uid) return;
  const name = metadata.name ?? '';
  const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
  throw new ApiStatusError({
    message: `Operation cannot be fulfilled on Pod "${name}": ${why}`,
    reason: 'Conflict',
    details: { name, kind: 'Pod' },
    code: 409,
  });
}

/** pkg/registry/core/pod/storage.addConditionAndDeletePod */
function markDisrupted(context: RequestContext, pod: Pod): void {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null as unknown as string,
    lastTransitionTime: context.server.now,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const conditions = pod.status?.conditions ?? [];
  const present = conditions.find(({ type }) => type === condition.type);
  if (present?.status === 'True') return;
  const changed = present ? conditions.map((other) => (other === present ? condition : other)) : [...conditions, condition];
  commitPut({ ...context, subresource: 'status' }, { ...pod, status: { ...pod.status, conditions: changed } } as KubernetesObject);
}
