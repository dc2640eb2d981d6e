import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { Deployment, ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { LabelSelector } from '../../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector } from '../../../src/api/label-selector.ts';
import { getControllerOf, isControlledBy, newControllerRef } from '../../../src/api/meta.ts';
import { type KubernetesObject, keyOf } from '../../../src/api/object.ts';
import { deployments, pods, replicasets } from '../../../src/api/resources.ts';
import { isNamespaceTerminating } from '../../../src/api/status-error.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { addControllerIndexer, listControlledBy, listOrphans } from '../controller/controller-index.ts';
import { ControllerRefManager, recheckDeletionTimestamp } from '../controller/controller-ref-manager.ts';
import { rethrowPanic } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { type DeploymentServices, DeploymentSync } from './deployment-sync.ts';
import { rolloutRecreate } from './recreate.ts';
import { getRollbackTo, rollback } from './rollback.ts';
import { rolloutRolling } from './rolling.ts';
import { checkPausedConditions, isScalingEvent, syncScale, syncStatusOnly } from './sync.ts';

const NAME = 'deployment-controller';
const KIND = { apiVersion: 'apps/v1', kind: 'Deployment' };
/** pkg/controller/deployment/deployment_controller.go maxRetries */
const MAX_RETRIES = 15;

/** cmd/kube-controller-manager/app/apps.go startDeploymentController */
export function startDeploymentController(context: ControllerContext): void {
  const controller = new DeploymentController(context);
  context.onceSynced(() => controller.run(context.config.concurrentSyncs));
}

/** Rolls out Deployments by creating and scaling ReplicaSets: pkg/controller/deployment/deployment_controller.go DeploymentController */
class DeploymentController {
  readonly #services: DeploymentServices;
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
    const client = context.clientFor(NAME);
    const dInformer = context.informers.forResource(deployments);
    const rsInformer = context.informers.forResource(replicasets);
    const podInformer = context.informers.forResource(pods);
    addControllerIndexer(rsInformer);
    addControllerIndexer(podInformer);
    this.#services = {
      simulation: context.actor.simulation,
      deployments: client.resource(deployments),
      replicaSets: client.resource(replicasets),
      recorder: context.recorderFor(NAME),
      queue: new RateLimitingQueue({ actor: context.actor }),
      dLister: dInformer.store,
      rsLister: rsInformer.store,
      podLister: podInformer.store,
    };
    dInformer.addEventHandler({
      onAdd: (d) => this.#enqueue(d),
      onUpdate: (_, d) => this.#enqueue(d),
      onDelete: (d) => this.#enqueue(d),
    });
    rsInformer.addEventHandler({
      onAdd: (rs) => this.#addReplicaSet(rs),
      onUpdate: (old, rs) => this.#updateReplicaSet(old, rs),
      onDelete: (rs) => this.#enqueueController(rs),
    });
    podInformer.addEventHandler({ onDelete: (pod) => this.#deletePod(pod) });
  }

  run(workers: number): void {
    const { queue } = this.#services;
    const reconcile = (key: string): Promise<void> => this.#syncDeployment(key);
    const handleError = (key: string, error: unknown): void => this.#handleError(key, error);
    runWorkers({ actor: this.#context.actor, name: NAME, queue, workers, reconcile, handleError });
  }

  #enqueue(d: KubernetesObject): void {
    this.#services.queue.add(keyOf(d));
  }

  #addReplicaSet(rs: ReplicaSet): void {
    if (rs.metadata.deletionTimestamp !== undefined || getControllerOf(rs)) this.#enqueueController(rs);
    else this.#enqueueMatching(rs);
  }

  #updateReplicaSet(old: ReplicaSet, rs: ReplicaSet): void {
    if (old.metadata.resourceVersion === rs.metadata.resourceVersion) return;
    const reference = getControllerOf(rs);
    const refChanged = getControllerOf(old)?.uid !== reference?.uid;
    if (refChanged) this.#enqueueController(old);
    if (reference) this.#enqueueController(rs);
    else if (refChanged || !semanticDeepEqual(old.metadata.labels, rs.metadata.labels)) this.#enqueueMatching(rs);
  }

  /** Recreate waits for the last old pod to be gone, which no ReplicaSet status tells: pkg/controller/deployment/deployment_controller.go deletePod */
  #deletePod(pod: Pod): void {
    const d = this.#getDeploymentForPod(pod);
    if (d?.spec?.strategy?.type !== 'Recreate') return;
    const enqueueIfLast = async (): Promise<void> => {
      const list = await this.#services.replicaSets.list({ namespace: d.metadata.namespace });
      const owned = list.items.filter((rs) => isControlledBy(rs, d));
      if (owned.every((rs) => listControlledBy(this.#services.podLister, rs.metadata.uid ?? '').length === 0)) this.#enqueue(d);
    };
    this.#context.actor.schedule(0, () => enqueueIfLast().catch(rethrowPanic));
  }

  #getDeploymentForPod(pod: Pod): Deployment | undefined {
    const reference = getControllerOf(pod);
    if (reference?.kind !== 'ReplicaSet') return undefined;
    const rs = this.#services.rsLister.get(keyOf({ namespace: pod.metadata.namespace, name: reference.name }));
    return rs?.metadata.uid === reference.uid && rs ? this.#resolveController(rs) : undefined;
  }

  /** pkg/controller/deployment/deployment_controller.go resolveControllerRef */
  #resolveController(rs: ReplicaSet): Deployment | undefined {
    const reference = getControllerOf(rs);
    if (reference?.kind !== KIND.kind) return undefined;
    const d = this.#services.dLister.get(keyOf({ namespace: rs.metadata.namespace, name: reference.name }));
    return d?.metadata.uid === reference.uid ? d : undefined;
  }

  #enqueueController(rs: ReplicaSet): void {
    const d = this.#resolveController(rs);
    if (d) this.#enqueue(d);
  }

  /** An orphan: one of these may adopt it. pkg/controller/deployment/deployment_controller.go getDeploymentsForReplicaSet */
  #enqueueMatching(rs: ReplicaSet): void {
    for (const d of this.#services.dLister.listNamespace(rs.metadata.namespace ?? '')) {
      const selector = labelSelectorAsSelector(d.spec?.selector);
      if (!selector.empty && selector.matches(rs.metadata.labels ?? {})) this.#enqueue(d);
    }
  }

  #handleError(key: string, error: unknown): void {
    const { queue } = this.#services;
    if (!isNamespaceTerminating(error) && queue.numRequeues(key) < MAX_RETRIES) queue.addRateLimited(key);
    else queue.forget(key);
  }

  /** pkg/controller/deployment/deployment_controller.go syncDeployment */
  async #syncDeployment(key: string): Promise<void> {
    const d = this.#services.dLister.get(key);
    if (!d) return;
    if (isEverything(d.spec?.selector)) return this.#refuseToSelectAll(d);
    const sync = new DeploymentSync(this.#services, d, await this.#getReplicaSetsForDeployment(d));
    if (d.metadata.deletionTimestamp !== undefined) return syncStatusOnly(sync);
    await checkPausedConditions(sync);
    if (d.spec?.paused) return syncScale(sync);
    if (getRollbackTo(d) !== undefined) return rollback(sync);
    if (await isScalingEvent(sync)) return syncScale(sync);
    return d.spec?.strategy?.type === 'Recreate' ? rolloutRecreate(sync) : rolloutRolling(sync);
  }

  async #refuseToSelectAll(d: Deployment): Promise<void> {
    const { recorder, deployments: client } = this.#services;
    recorder.event(d, 'Warning', 'SelectingAll', 'This deployment is selecting all pods. A non-empty selector is required.');
    const generation = d.metadata.generation ?? 0;
    if ((d.status?.observedGeneration ?? 0) < generation)
      await client.updateStatus({ ...d, status: { ...d.status, observedGeneration: generation } });
  }

  /** pkg/controller/deployment/deployment_controller.go getReplicaSetsForDeployment */
  #getReplicaSetsForDeployment(d: Deployment): Promise<ReplicaSet[]> {
    const { rsLister, replicaSets, deployments: client } = this.#services;
    const manager = new ControllerRefManager({
      client: replicaSets,
      controller: d,
      controllerRef: newControllerRef(d, KIND),
      selector: labelSelectorAsSelector(d.spec?.selector),
      canAdopt: () => recheckDeletionTimestamp(client, d),
    });
    return manager.claim([...listControlledBy(rsLister, d.metadata.uid ?? ''), ...listOrphans(rsLister, d.metadata.namespace ?? '')]);
  }
}

function isEverything(selector: LabelSelector | undefined): boolean {
  return semanticDeepEqual(selector, {});
}
