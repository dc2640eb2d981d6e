import type { LabelSelector, OwnerReference } from '../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector, type Selector, selectorFromSet } from '../../src/api/label-selector.ts';
import { getControllerOf, newControllerRef } from '../../src/api/meta.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Resource } from '../../src/api/resource.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import { containsFinalizer } from '../../src/client/finalizers.ts';
import { type CompositeController, controllerrevisions } from './api.ts';
import { type ChildMap, desiredMap, emptyChildMap, type KnownRule, knownRule, manageChildren, relativeName } from './children.ts';
import { CustomizeManager } from './customize.ts';
import { discover } from './discovery.ts';
import { callHook } from './hook.ts';
import { type MetacontrollerContext, ParentQueue } from './parent-queue.ts';
import { dropFinalizer, ensureFinalizer, replaceStatus } from './parent-writes.ts';
import { revisionsOf, syncRevisions } from './rolling-update.ts';

/** What a sync or finalize hook answers. */
interface HookAnswer {
  readonly status?: object | null;
  readonly children?: readonly KubernetesObject[] | null;
  readonly resyncAfterSeconds?: number;
  readonly finalized?: boolean;
}

/** What a hook is told beside the parent. */
interface Told {
  readonly observed: ChildMap;
  readonly related: ChildMap;
  readonly finalizing: boolean;
}

/** The label that stands for a parent when selectors are generated. */
const GENERATED_LABEL = 'controller-uid';

/** Looks after the objects of one CompositeController. metacontroller pkg/controller/composite parentController */
export class CompositeRunner {
  readonly #context: MetacontrollerContext;
  readonly #definition: CompositeController;
  readonly #parent: Resource;
  readonly #rules: readonly KnownRule[];
  readonly #queue: ParentQueue;
  readonly #customize: CustomizeManager;
  #stopped = false;

  private constructor(
    context: MetacontrollerContext,
    definition: CompositeController,
    known: { parent: Resource; rules: readonly KnownRule[] },
  ) {
    this.#context = context;
    this.#definition = definition;
    this.#parent = known.parent;
    this.#rules = known.rules;
    this.#queue = new ParentQueue({
      context,
      name: definition.metadata.name ?? '',
      parents: [known.parent],
      resyncPeriodSeconds: definition.spec.resyncPeriodSeconds,
      sync: (parent) => this.#sync(parent),
    });
    const parents = [known.parent];
    this.#customize = new CustomizeManager({ context, definition, parents, enqueue: (_, parent) => this.#enqueue(parent) });
  }

  /** @throws ApiStatusError when the server does not know one of its resources (yet) */
  static async start(context: MetacontrollerContext, definition: CompositeController): Promise<CompositeRunner> {
    const { parentResource, childResources = [] } = definition.spec;
    const parent = await discover(context.client, parentResource);
    const rules: KnownRule[] = [];
    for (const rule of childResources) rules.push(knownRule(rule, await discover(context.client, rule)));
    const runner = new CompositeRunner(context, definition, { parent, rules });
    runner.#watchChildren();
    await runner.#queue.start();
    return runner;
  }

  stop(): void {
    this.#stopped = true;
    this.#queue.stop();
    this.#customize.stop();
  }

  #enqueue({ metadata: { namespace, name = '' } }: KubernetesObject): void {
    this.#queue.add(this.#parent, { namespace, name });
  }

  #watchChildren(): void {
    const { informers } = this.#context;
    for (const { resource } of this.#rules)
      informers.forResource(resource).addEventHandler({
        onAdd: (child) => this.#enqueueParents(child),
        onUpdate: (_, child) => this.#enqueueParents(child),
        onDelete: (child) => this.#enqueueParents(child),
      });
    informers.forResource(controllerrevisions);
  }

  /** A child's controller; of an orphan, every parent that may want it. */
  #enqueueParents(child: KubernetesObject): void {
    if (this.#stopped) return;
    const owner = getControllerOf(child);
    const { namespace } = child.metadata;
    if (owner) {
      const place = this.#parent.namespaced ? { namespace, name: owner.name } : { name: owner.name };
      if (owner.kind === this.#parent.kind) this.#queue.add(this.#parent, place);
      return;
    }
    const { store } = this.#context.informers.forResource(this.#parent);
    for (const parent of this.#parent.namespaced ? store.listNamespace(namespace ?? '') : store.list())
      if (this.#selects(parent, child)) this.#enqueue(parent);
  }

  #selects(parent: KubernetesObject, child: KubernetesObject): boolean {
    const selector = this.#selectorOf(parent);
    return !!selector && !selector.empty && selector.matches(child.metadata.labels ?? {});
  }

  #selectorOf(parent: KubernetesObject): Selector | undefined {
    if (this.#definition.spec.generateSelector) return selectorFromSet({ [GENERATED_LABEL]: parent.metadata.uid ?? '' });
    const { spec } = parent as { spec?: { selector?: LabelSelector } };
    return spec?.selector && labelSelectorAsSelector(spec.selector);
  }

  /** metacontroller pkg/controller/composite parentController.syncParentObject */
  async #sync(found: KubernetesObject): Promise<{ readonly resyncAfterSeconds?: number } | undefined> {
    const { client } = this.#context;
    const { finalize } = this.#definition.spec.hooks ?? {};
    const resource = this.#parent;
    const finalizer = `metacontroller.io/compositecontroller-${this.#definition.metadata.name}`;
    const parent = finalize ? await ensureFinalizer(client, { resource, parent: found, finalizer }) : found;
    const deleting = parent.metadata.deletionTimestamp !== undefined;
    const finalizing = deleting && finalize !== undefined && containsFinalizer(parent, finalizer);
    // Without a finalize hook the garbage collector does the rest.
    if (deleting && !finalizing) return undefined;
    const observed = await this.#claimChildren(parent);
    const related = await this.#customize.relatedOf(parent);
    const { answer, desired } = await this.#desired(parent, { observed, related, finalizing });
    const { status, resyncAfterSeconds, finalized } = answer;
    if (finalizing && finalized) {
      await dropFinalizer(client, { resource, parent, finalizer });
      return undefined;
    }
    await manageChildren({ client, rules: this.#rules, observed, desired, owner: controllerRef(parent) }).finally(() =>
      replaceStatus(client, { resource, parent, status: { ...status, observedGeneration: parent.metadata.generation } }),
    );
    return resyncAfterSeconds === undefined ? {} : { resyncAfterSeconds };
  }

  async #desired(parent: KubernetesObject, told: Told) {
    const { observed } = told;
    const { informers, client } = this.#context;
    const { fieldPaths = ['spec'] } = this.#definition.spec.parentResource.revisionHistory ?? {};
    const namespace = parent.metadata.namespace ?? '';
    const stored = revisionsOf(parent, informers.forResource(controllerrevisions).store.listNamespace(namespace));
    const ask = (asked: KubernetesObject) => this.#ask(asked, told);
    const labels = this.#labelsOf(parent);
    return syncRevisions({ client, parent, resource: this.#parent, rules: this.#rules, fieldPaths, observed, stored, labels, ask });
  }

  async #ask(parent: KubernetesObject, { observed, related, finalizing }: Told) {
    const { sync, finalize } = this.#definition.spec.hooks ?? {};
    const name = finalizing ? 'finalize' : 'sync';
    const hook = finalizing ? finalize : sync;
    const request = { controller: this.#definition, parent, children: observed, related, finalizing };
    const answer = hook ? await callHook<HookAnswer>(this.#context.fetch, { name, hook, about: parent, request }) : {};
    const labels = this.#definition.spec.generateSelector ? this.#labelsOf(parent) : {};
    const children = (answer.children ?? []).map((child) => withLabels(child, labels));
    const stray = children.find((child) => !this.#selects(parent, child));
    if (stray)
      throw new ApiStatusError({
        code: 400,
        reason: 'BadRequest',
        message: `labels on desired child object don't match parent selector: ${stray.kind} ${stray.metadata.name}`,
      });
    return { answer, desired: desiredMap(this.#rules, parent, children) };
  }

  #labelsOf(parent: KubernetesObject): Record<string, string> {
    if (this.#definition.spec.generateSelector) return { [GENERATED_LABEL]: parent.metadata.uid ?? '' };
    const { spec } = parent as { spec?: { selector?: LabelSelector } };
    return { ...spec?.selector?.matchLabels };
  }

  /** Children that match and belong to nobody are adopted, those that do not match any more are let go. client-go ControllerRefManager.ClaimObject */
  async #claimChildren(parent: KubernetesObject): Promise<ChildMap> {
    if (!this.#selectorOf(parent))
      throw new ApiStatusError({
        code: 400,
        reason: 'BadRequest',
        message: `can't get label selector of ${parent.kind} ${parent.metadata.name}: spec.selector is missing`,
      });
    const { informers } = this.#context;
    const map = emptyChildMap(this.#rules);
    for (const { resource, key } of this.#rules) {
      const { store } = informers.forResource(resource);
      const all = this.#parent.namespaced ? store.listNamespace(parent.metadata.namespace ?? '') : store.list();
      for (const child of all)
        if (await this.#claim(parent, resource, child)) map[key] = { ...map[key], [relativeName(parent, child)]: child };
    }
    return map;
  }

  async #claim(parent: KubernetesObject, resource: Resource, child: KubernetesObject): Promise<boolean> {
    const owner = getControllerOf(child);
    const matches = this.#selects(parent, child);
    const mine = owner?.uid === parent.metadata.uid;
    if (mine && matches) return true;
    if (owner && !mine) return false;
    if (!mine && (!matches || child.metadata.deletionTimestamp || parent.metadata.deletionTimestamp)) return false;
    const others = (child.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== parent.metadata.uid);
    const ownerReferences = mine ? others : [...others, controllerRef(parent)];
    const { namespace, name = '', uid } = child.metadata;
    await this.#context.client.resource(resource).patch({ namespace, name }, { metadata: { uid, ownerReferences } }, { type: 'merge' });
    return !mine;
  }
}

function controllerRef(parent: KubernetesObject): OwnerReference {
  return newControllerRef(parent, { apiVersion: parent.apiVersion ?? '', kind: parent.kind ?? '' });
}

function withLabels(child: KubernetesObject, labels: Readonly<Record<string, string>>): KubernetesObject {
  if (Object.keys(labels).length === 0) return child;
  return { ...child, metadata: { ...child.metadata, labels: { ...child.metadata.labels, ...labels } } };
}
