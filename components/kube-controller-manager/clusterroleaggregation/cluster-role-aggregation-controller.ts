import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { ClusterRole, PolicyRule } from '../../../src/api/kinds/rbac-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { keyOf } from '../../../src/api/object.ts';
import { clusterroles } from '../../../src/api/resources.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { ControllerContext } from '../controller-context.ts';

const NAME = 'clusterrole-aggregation-controller';
const INDEX = 'aggregates';
const YES = 'yes';

/** Fills roles with the rules of those that they select. pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go ClusterRoleAggregationController */
export function startClusterRoleAggregationController(context: ControllerContext): void {
  const { actor, config, informers } = context;
  const client = context.clientFor(NAME).resource(clusterroles);
  const informer = informers.forResource(clusterroles);
  informer.addIndexers({ [INDEX]: ({ aggregationRule }) => (aggregationRule ? [YES] : []) });
  const queue = new RateLimitingQueue({ actor });
  const enqueueAll = (): void => {
    for (const role of informer.store.byIndex(INDEX, YES)) queue.add(keyOf(role));
  };
  informer.addEventHandler({ onAdd: enqueueAll, onUpdate: enqueueAll, onDelete: enqueueAll });

  /** clusterroleaggregation_controller.go syncClusterRole */
  async function syncClusterRole(name: string): Promise<void> {
    const role = informer.store.get(name);
    if (!role?.aggregationRule) return;
    const rules = aggregate(role, informer.store.list());
    if (semanticDeepEqual(rules, role.rules ?? [])) return;
    const apply = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
    await client.patch({ name }, apply, { type: 'apply', fieldManager: NAME, force: true });
  }

  context.onceSynced(() => runWorkers({ actor, name: NAME, queue, workers: config.concurrentSyncs, reconcile: syncClusterRole }));
}

/** The rules of all roles that are selected, each once. */
function aggregate(role: ClusterRole, roles: readonly ClusterRole[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const labelSelector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = labelSelectorAsSelector(labelSelector);
    const selected = roles.filter(({ metadata }) => metadata.name !== role.metadata.name && selector.matches(metadata.labels));
    for (const { rules: more } of selected.sort(byName))
      for (const rule of more ?? []) if (!rules.has(JSON.stringify(rule))) rules.set(JSON.stringify(rule), rule);
  }
  return [...rules.values()];
}

function byName(a: ClusterRole, b: ClusterRole): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
