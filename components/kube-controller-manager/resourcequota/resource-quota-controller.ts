import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { ResourceQuota } from '../../../src/api/kinds/core-v1.ts';
import { type KubernetesObject, keyOf } from '../../../src/api/object.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { groupResource, type Resource } from '../../../src/api/resource.ts';
import { resourcequotas } from '../../../src/api/resources.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { describeReference } from '../controller/describe-reference.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ResourceMonitors } from '../garbagecollector/resource-monitors.ts';
import { RestMapper } from '../garbagecollector/rest-mapper.ts';
import { calculateUsage, matchesName } from './evaluators.ts';
import { mayLowerUsage } from './update-filter.ts';

const NAME = 'resourcequota-controller';
/** pkg/controller/resourcequota/config/v1alpha1 ResourceQuotaSyncPeriod */
const FULL_RESYNC_MS = 300_000;

/** Counts anew what the objects of a namespace use. pkg/controller/resourcequota/resource_quota_controller.go Controller */
class ResourceQuotaController {
  readonly #context: ControllerContext;
  readonly #client: ResourceClient<ResourceQuota>;
  readonly #quotas: Indexer<ResourceQuota>;
  readonly #queue: RateLimitingQueue;
  /** Quotas of which something is not known yet come first. */
  readonly #missingUsageQueue: RateLimitingQueue;
  readonly #mapper = new RestMapper();
  readonly #monitors: ResourceMonitors;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    this.#context = context;
    const client = context.clientFor(NAME);
    this.#client = client.resource(resourcequotas);
    this.#queue = new RateLimitingQueue({ actor });
    this.#missingUsageQueue = new RateLimitingQueue({ actor });
    const informer = informers.forResource(resourcequotas);
    this.#quotas = informer.store;
    informer.addEventHandler({
      onAdd: (quota) => this.#addQuota(quota),
      onUpdate: (before, quota) => {
        if (!sameAmounts(before.spec?.hard, quota.spec?.hard)) this.#addQuota(quota);
      },
      onDelete: (quota) => this.#queue.add(keyOf(quota)),
    });
    const handler = {
      put: (object: KubernetesObject, before?: KubernetesObject): void => this.#onChange(object, before),
      delete: (object: KubernetesObject): void => this.#replenishQuota(object),
    };
    this.#monitors = new ResourceMonitors({ client, informers, mapper: this.#mapper, handler });
  }

  run(): Promise<void> {
    const { actor, config } = this.#context;
    const reconcile = (key: string): Promise<void> | undefined => this.#syncResourceQuota(key);
    const common = { actor, workers: config.concurrentSyncs, reconcile };
    runWorkers({ ...common, name: `${NAME} priority`, queue: this.#missingUsageQueue });
    runWorkers({ ...common, name: NAME, queue: this.#queue });
    this.#scheduleFullResync();
    return this.#monitors.run();
  }

  #scheduleFullResync(): void {
    const { actor } = this.#context;
    const enqueueAll = (): void => {
      for (const quota of this.#quotas.list()) this.#queue.add(keyOf(quota));
      this.#scheduleFullResync();
    };
    actor.schedule(FULL_RESYNC_MS, enqueueAll, { priority: 'background', label: `${actor.name} counts all quotas anew` });
  }

  /** resource_quota_controller.go addQuota */
  #addQuota(quota: ResourceQuota): void {
    const { hard, used = {} } = quota.status ?? {};
    const isBehind = !sameAmounts(quota.spec?.hard, hard);
    const unknown = Object.keys(hard ?? {}).some((name) => used[name] === undefined && this.#isCountable(name));
    (isBehind || unknown ? this.#missingUsageQueue : this.#queue).add(keyOf(quota));
  }

  #isCountable(name: string): boolean {
    return this.#mapper.all().some((resource) => matchesName(resource, name));
  }

  /** resource_quota_monitor.go controllerFor */
  #onChange(object: KubernetesObject, before: KubernetesObject | undefined): void {
    if (!before || !this.#hasQuotas(object)) return;
    const { wallTime } = this.#context.actor.simulation;
    if (mayLowerUsage(before, object, wallTime)) this.#replenishQuota(object);
  }

  #hasQuotas({ metadata: { namespace } }: KubernetesObject): boolean {
    return namespace !== undefined && this.#quotas.listNamespace(namespace).length > 0;
  }

  /** resource_quota_controller.go replenishQuota */
  #replenishQuota(object: KubernetesObject): void {
    if (!this.#hasQuotas(object)) return;
    const resource = this.#mapper.resourceFor(object.apiVersion ?? '', object.kind ?? '');
    for (const quota of this.#quotas.listNamespace(object.metadata.namespace ?? '')) {
      const names = Object.keys(quota.status?.hard ?? {});
      if (names.some((name) => matchesName(resource, name))) this.#queue.add(keyOf(quota));
    }
  }

  #syncResourceQuota(key: string): Promise<void> | undefined {
    const quota = this.#quotas.get(key);
    return quota ? this.#syncQuota(quota) : undefined;
  }

  /** resource_quota_controller.go syncResourceQuota */
  async #syncQuota(quota: ResourceQuota): Promise<void> {
    // In the order in which Go writes maps.
    const hard = Object.fromEntries(Object.entries(quota.spec?.hard ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
    const names = Object.keys(hard);
    const known = { ...quota.status?.used, ...this.#count(quota, names) };
    const used = Object.fromEntries(names.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
    const isFirst = quota.status?.hard === undefined || quota.status.used === undefined;
    if (!isFirst && semanticDeepEqual(hard, quota.status?.hard) && sameAmounts(used, quota.status?.used)) return;
    const { simulation } = this.#context.actor;
    simulation.trace.record({
      kind: 'decision',
      component: NAME,
      object: describeReference(resourcequotas, quota),
      message: `Counted what namespace ${quota.metadata.namespace} uses: ${names.map((name) => `${name} ${used[name] ?? '?'} of ${hard[name]}`).join(', ')}`,
    });
    await this.#client.updateStatus({ ...quota, status: { hard, used } });
  }

  /** pkg/quota/v1/resources.go CalculateUsage */
  #count(quota: ResourceQuota, names: readonly string[]): Record<string, string> {
    const { informers, actor } = this.#context;
    const { wallTime } = actor.simulation;
    const usage: Record<string, string> = {};
    for (const resource of this.#mapper.all()) {
      const matching = isQuotable(resource) ? names.filter((name) => matchesName(resource, name)) : [];
      if (matching.length === 0) continue;
      const { hasSynced, store } = informers.forResource(resource);
      // A kind that has only just been defined keeps its count until its objects are known.
      if (!hasSynced) continue;
      const objects = store.listNamespace(quota.metadata.namespace ?? '');
      Object.assign(usage, calculateUsage(quota, matching, { resource, objects, wallTime }));
    }
    return usage;
  }
}

/** pkg/controller/resourcequota GetQuotableResources */
function isQuotable(resource: Resource): boolean {
  const deletable = ['create', 'list', 'watch', 'delete'].every((verb) => resource.verbs.includes(verb));
  return resource.namespaced && deletable && groupResource(resource) !== 'events';
}

/** pkg/quota/v1/resources.go Equals: by amount, however it is written. */
function sameAmounts(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => b[name] !== undefined && parseQuantity(a[name]).compare(parseQuantity(b[name])) === 0);
}

/** cmd/kube-controller-manager/app/core.go startResourceQuotaController */
export function startResourceQuotaController(context: ControllerContext): void {
  const controller = new ResourceQuotaController(context);
  context.onceSynced(() => controller.run());
}
