import type { LabelSelector, LabelSelectorRequirement } from '../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { customResource } from '../../src/client/custom-resource.ts';

export const GROUP = 'metacontroller.k8s.io';

/** Names a kind of objects as a user writes it. */
export interface ResourceRule {
  readonly apiVersion: string;
  /** Plural. */
  readonly resource: string;
}

export type UpdateMethod = 'OnDelete' | 'Recreate' | 'InPlace' | 'RollingRecreate' | 'RollingInPlace';

export interface StatusConditionCheck {
  readonly type: string;
  readonly status?: string;
  readonly reason?: string;
}

export interface ChildRule extends ResourceRule {
  /** Children that are there are not changed if absent. */
  readonly updateStrategy?: {
    readonly method?: UpdateMethod;
    readonly statusChecks?: { readonly conditions?: readonly StatusConditionCheck[] };
  };
}

/** What a customize hook wants to have told of: by labels, or by namespace and names. */
export interface RelatedRule extends ResourceRule {
  readonly labelSelector?: LabelSelector;
  readonly namespace?: string;
  readonly names?: readonly string[];
}

/** How a hook is called. */
export interface Hook {
  readonly webhook?: {
    readonly url?: string;
    /** As Go writes durations. 10s if absent. */
    readonly timeout?: string;
    readonly path?: string;
    readonly service?: { readonly name: string; readonly namespace: string; readonly port?: number; readonly protocol?: string };
  };
}

export interface Hooks {
  readonly sync?: Hook;
  readonly finalize?: Hook;
  readonly customize?: Hook;
}

/** Manages the children of each object of one kind. */
export interface CompositeController extends KubernetesObject {
  readonly spec: {
    readonly parentResource: ResourceRule & { readonly revisionHistory?: { readonly fieldPaths?: readonly string[] } };
    readonly childResources?: readonly ChildRule[];
    readonly resyncPeriodSeconds?: number;
    readonly generateSelector?: boolean;
    readonly hooks?: Hooks;
  };
}

/** Adds something to objects that somebody else looks after. */
export interface DecoratorController extends KubernetesObject {
  readonly spec: {
    readonly resources: readonly (ResourceRule & {
      readonly labelSelector?: LabelSelector;
      readonly annotationSelector?: {
        readonly matchAnnotations?: Readonly<Record<string, string>>;
        readonly matchExpressions?: readonly LabelSelectorRequirement[];
      };
    })[];
    readonly attachments?: readonly ChildRule[];
    readonly resyncPeriodSeconds?: number;
    readonly hooks?: Hooks;
  };
}

/** What a parent was like, and which of its children are still made from that. */
export interface ControllerRevision extends KubernetesObject {
  readonly parentPatch: Readonly<Record<string, unknown>>;
  readonly children?: readonly { readonly apiGroup: string; readonly kind: string; readonly names: readonly string[] }[];
}

const version = 'v1alpha1';
export const compositecontrollers = customResource<CompositeController>({
  group: GROUP,
  version,
  resource: 'compositecontrollers',
  kind: 'CompositeController',
  namespaced: false,
  shortNames: ['cc', 'cctl'],
});
export const decoratorcontrollers = customResource<DecoratorController>({
  group: GROUP,
  version,
  resource: 'decoratorcontrollers',
  kind: 'DecoratorController',
  namespaced: false,
  shortNames: ['dec', 'decorators'],
});
export const controllerrevisions = customResource<ControllerRevision>({
  group: GROUP,
  version,
  resource: 'controllerrevisions',
  kind: 'ControllerRevision',
});
