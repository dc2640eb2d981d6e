import { labelSelectorAsSelector } from '../../src/api/label-selector.ts';
import { type KubernetesObject, keyOf } from '../../src/api/object.ts';
import type { Resource } from '../../src/api/resource.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import type { CompositeController, DecoratorController, RelatedRule } from './api.ts';
import { type ChildMap, relativeName, ruleKey } from './children.ts';
import { discover } from './discovery.ts';
import { callHook } from './hook.ts';
import type { MetacontrollerContext } from './parent-queue.ts';

interface CustomizeOptions {
  readonly context: MetacontrollerContext;
  readonly definition: CompositeController | DecoratorController;
  readonly parents: readonly Resource[];
  /** The parent is to be looked at, since something that is related to it has changed. */
  readonly enqueue: (resource: Resource, parent: KubernetesObject) => void;
}

/** What a customize hook answered, for one generation of a parent. */
interface Answered {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  readonly rules: readonly RelatedRule[];
}

/** The objects that a customize hook wants to have told of, next to a parent's own: metacontroller pkg/controller/common/customize Manager */
export class CustomizeManager {
  readonly #options: CustomizeOptions;
  /** By kind and place of the parent: the hook is asked once for each generation. */
  readonly #answers = new Map<string, Answered>();
  /** By plural and API version: what is watched already. */
  readonly #related = new Map<string, Promise<Resource>>();
  #stopped = false;

  constructor(options: CustomizeOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Manager.GetRelatedObjects @returns an empty map without a customize hook @throws ApiStatusError when a rule makes no sense, or names what there is not */
  async relatedOf(parent: KubernetesObject): Promise<ChildMap> {
    const map: ChildMap = {};
    for (const rule of await this.#rulesFor(parent)) {
      assertSensible(rule, parent);
      const resource = await this.#watch(rule);
      const key = ruleKey({ kind: resource.kind, apiVersion: rule.apiVersion });
      const found = this.#options.context.informers
        .forResource(resource)
        .store.list()
        .filter((object) => isRelated(rule, parent, object));
      map[key] = { ...map[key], ...Object.fromEntries(found.map((object) => [relativeName(parent, object), object])) };
    }
    return map;
  }

  async #rulesFor(parent: KubernetesObject): Promise<readonly RelatedRule[]> {
    const { definition, context } = this.#options;
    const hook = definition.spec.hooks?.customize;
    if (!hook) return [];
    const { uid, generation } = parent.metadata;
    const known = this.#answers.get(placeOf(parent));
    if (known && known.uid === uid && known.generation === generation) return known.rules;
    const call = { name: 'customize', hook, about: parent, request: { controller: definition, parent } };
    const { relatedResources } = await callHook<{ readonly relatedResources?: readonly RelatedRule[] | null }>(context.fetch, call);
    const rules = relatedResources ?? [];
    this.#answers.set(placeOf(parent), { uid, generation, rules });
    return rules;
  }

  #watch(rule: RelatedRule): Promise<Resource> {
    const key = `${rule.resource}.${rule.apiVersion}`;
    const known = this.#related.get(key) ?? this.#startToWatch(rule);
    this.#related.set(key, known);
    // What is not there yet may come.
    known.catch(() => this.#related.delete(key));
    return known;
  }

  async #startToWatch(rule: RelatedRule): Promise<Resource> {
    const { client, informers } = this.#options.context;
    const resource = await discover(client, rule);
    informers.forResource(resource).addEventHandler({
      onAdd: (object) => this.#notify(rule, object),
      onUpdate: (before, object) =>
        before.metadata.resourceVersion !== object.metadata.resourceVersion && this.#notify(rule, before, object),
      onDelete: (object) => this.#notify(rule, object),
    });
    informers.start();
    await informers.waitForCacheSync();
    return resource;
  }

  /** Manager.notifyRelatedParents: those that want the object as it is, or as it was. */
  #notify({ resource, apiVersion }: RelatedRule, ...objects: readonly KubernetesObject[]): void {
    if (this.#stopped) return;
    const { context, parents, enqueue } = this.#options;
    for (const kind of parents) {
      for (const parent of context.informers.forResource(kind).store.list()) {
        const rules = this.#answers.get(placeOf(parent))?.rules ?? [];
        const wanted = rules.filter((rule) => rule.resource === resource && rule.apiVersion === apiVersion);
        if (wanted.some((rule) => objects.some((object) => isRelated(rule, parent, object)))) enqueue(kind, parent);
      }
    }
  }
}

function placeOf(parent: KubernetesObject): string {
  return `${ruleKey(parent)}/${keyOf(parent)}`;
}

/** metacontroller pkg/controller/common/customize determineSelectionType */
function assertSensible({ labelSelector, namespace, names }: RelatedRule, parent: KubernetesObject): void {
  const problem = (message: string): ApiStatusError => new ApiStatusError({ code: 400, reason: 'BadRequest', message });
  if (labelSelector && (namespace || names?.length))
    throw problem('related rule cannot have both labelSelector and Namespace/Names specified');
  const own = parent.metadata.namespace;
  if (own && namespace && namespace !== own)
    throw problem(`requested related object namespace ${namespace} differs from parent object namespace ${own}`);
}

/** Whether a rule means an object. A parent in a namespace sees what is in there, and nothing else. */
function isRelated({ labelSelector, namespace, names }: RelatedRule, parent: KubernetesObject, { metadata }: KubernetesObject): boolean {
  const within = parent.metadata.namespace ?? namespace;
  if (within && metadata.namespace !== within) return false;
  if (names?.length) return names.includes(metadata.name ?? '');
  return !labelSelector || labelSelectorAsSelector(labelSelector).matches(metadata.labels ?? {});
}
