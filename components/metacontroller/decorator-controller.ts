import type { OwnerReference } from '../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector } from '../../src/api/label-selector.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../src/api/resource.ts';
import { containsFinalizer } from '../../src/client/finalizers.ts';
import { type DecoratorController, GROUP } from './api.ts';
import { type ChildMap, desiredMap, emptyChildMap, type KnownRule, knownRule, manageChildren, relativeName } from './children.ts';
import { CustomizeManager } from './customize.ts';
import { discover } from './discovery.ts';
import { callHook } from './hook.ts';
import { type MetacontrollerContext, ParentQueue } from './parent-queue.ts';
import { dropFinalizer, ensureFinalizer, patchMetadata, replaceStatus } from './parent-writes.ts';

/** What a sync or finalize hook answers. */
interface HookAnswer {
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly status?: object | null;
  readonly attachments?: readonly KubernetesObject[] | null;
  readonly resyncAfterSeconds?: number;
  readonly finalized?: boolean;
}

/** Which decorator has attached an object. */
const DECORATOR_ANNOTATION = `${GROUP}/decorator-controller`;

/** Looks after the targets of one DecoratorController. metacontroller pkg/controller/decorator decoratorController */
export class DecoratorRunner {
  readonly #context: MetacontrollerContext;
  readonly #definition: DecoratorController;
  readonly #targets: readonly Resource[];
  readonly #rules: readonly KnownRule[];
  readonly #queue: ParentQueue;
  readonly #customize: CustomizeManager;
  #stopped = false;

  private constructor(
    context: MetacontrollerContext,
    definition: DecoratorController,
    known: { targets: readonly Resource[]; rules: readonly KnownRule[] },
  ) {
    this.#context = context;
    this.#definition = definition;
    this.#targets = known.targets;
    this.#rules = known.rules;
    this.#queue = new ParentQueue({
      context,
      name: definition.metadata.name ?? '',
      parents: known.targets,
      resyncPeriodSeconds: definition.spec.resyncPeriodSeconds,
      sync: (target, resource) => this.#sync(target, resource),
    });
    this.#customize = new CustomizeManager({
      ...{ context, definition },
      parents: known.targets,
      enqueue: (resource, { metadata: { namespace, name = '' } }) => this.#queue.add(resource, { namespace, name }),
    });
  }

  /** @throws ApiStatusError when the server does not know one of its resources (yet) */
  static async start(context: MetacontrollerContext, definition: DecoratorController): Promise<DecoratorRunner> {
    const { resources, attachments = [] } = definition.spec;
    const targets: Resource[] = [];
    for (const rule of resources) targets.push(await discover(context.client, rule));
    const rules: KnownRule[] = [];
    for (const rule of attachments) rules.push(knownRule(rule, await discover(context.client, rule)));
    const runner = new DecoratorRunner(context, definition, { targets, rules });
    runner.#watchAttachments();
    await runner.#queue.start();
    return runner;
  }

  stop(): void {
    this.#stopped = true;
    this.#queue.stop();
    this.#customize.stop();
  }

  #watchAttachments(): void {
    for (const { resource } of this.#rules)
      this.#context.informers.forResource(resource).addEventHandler({
        onAdd: (attachment) => this.#enqueueTarget(attachment),
        onUpdate: (_, attachment) => this.#enqueueTarget(attachment),
        onDelete: (attachment) => this.#enqueueTarget(attachment),
      });
  }

  #enqueueTarget(attachment: KubernetesObject): void {
    if (this.#stopped || !this.#isMine(attachment)) return;
    for (const { apiVersion, kind, name } of attachment.metadata.ownerReferences ?? []) {
      const target = this.#targets.find((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion);
      const { namespace } = attachment.metadata;
      if (target) this.#queue.add(target, target.namespaced ? { namespace, name } : { name });
    }
  }

  #isMine({ metadata }: KubernetesObject): boolean {
    return metadata.annotations?.[DECORATOR_ANNOTATION] === this.#definition.metadata.name;
  }

  /** metacontroller pkg/controller/decorator decoratorController.syncParentObject */
  async #sync(found: KubernetesObject, resource: Resource): Promise<{ readonly resyncAfterSeconds?: number } | undefined> {
    const { client, fetch } = this.#context;
    const { sync, finalize } = this.#definition.spec.hooks ?? {};
    const finalizer = `metacontroller.io/decoratorcontroller-${this.#definition.metadata.name}`;
    const chosen = this.#matches(found, resource);
    const held = finalize !== undefined && containsFinalizer(found, finalizer);
    if (!chosen && !held) return undefined;
    const finalizing = held && (!chosen || found.metadata.deletionTimestamp !== undefined);
    if (found.metadata.deletionTimestamp && !finalizing) return undefined;
    const parent = finalize && chosen ? await ensureFinalizer(client, { resource, parent: found, finalizer }) : found;
    const observed = this.#attachmentsOf(parent);
    const hook = finalizing ? finalize : sync;
    const name = finalizing ? 'finalize' : 'sync';
    const related = await this.#customize.relatedOf(parent);
    const request = { controller: this.#definition, object: parent, attachments: observed, related, finalizing };
    const answer = hook ? await callHook<HookAnswer>(fetch, { name, hook, about: parent, request }) : {};
    const { labels, annotations, status, resyncAfterSeconds, finalized } = answer;
    const changed = await patchMetadata(client, { resource, parent, labels, annotations });
    if (status) await replaceStatus(client, { resource, parent: changed, status });
    const desired = desiredMap(
      this.#rules,
      parent,
      (answer.attachments ?? []).map((attachment) => this.#marked(attachment)),
    );
    await manageChildren({ client, rules: this.#rules, observed, desired, owner: ownerRef(parent) });
    if (finalizing && finalized) await dropFinalizer(client, { resource, parent: changed, finalizer });
    return resyncAfterSeconds === undefined ? {} : { resyncAfterSeconds };
  }

  #matches({ metadata }: KubernetesObject, resource: Resource): boolean {
    const rule = this.#definition.spec.resources[this.#targets.indexOf(resource)];
    const { labelSelector, annotationSelector } = rule ?? {};
    const { matchAnnotations, matchExpressions } = annotationSelector ?? {};
    const byAnnotation = {
      ...(matchAnnotations ? { matchLabels: { ...matchAnnotations } } : {}),
      ...(matchExpressions ? { matchExpressions: [...matchExpressions] } : {}),
    };
    return (
      (!labelSelector || labelSelectorAsSelector(labelSelector).matches(metadata.labels ?? {})) &&
      (!annotationSelector || labelSelectorAsSelector(byAnnotation).matches(metadata.annotations ?? {}))
    );
  }

  #attachmentsOf(parent: KubernetesObject): ChildMap {
    const map = emptyChildMap(this.#rules);
    const { namespace, uid } = parent.metadata;
    for (const { resource, key } of this.#rules) {
      const { store } = this.#context.informers.forResource(resource);
      for (const object of namespace ? store.listNamespace(namespace) : store.list())
        if (this.#isMine(object) && object.metadata.ownerReferences?.some((owner) => owner.uid === uid))
          map[key] = { ...map[key], [relativeName(parent, object)]: object };
    }
    return map;
  }

  #marked(attachment: KubernetesObject): KubernetesObject {
    const { metadata } = attachment;
    const annotations = { ...metadata.annotations, [DECORATOR_ANNOTATION]: this.#definition.metadata.name ?? '' };
    return { ...attachment, metadata: { ...metadata, annotations } };
  }
}

/** A decorator owns what it attaches, but is not its controller. */
function ownerRef({ apiVersion = '', kind = '', metadata }: KubernetesObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', controller: false, blockOwnerDeletion: true };
}
