import type { Scale } from '../../../src/api/kinds/autoscaling-v1.ts';
import type { LabelSelector } from '../../../src/api/kinds/meta-v1.ts';
import { labelSelectorAsSelector, selectorFromSet } from '../../../src/api/label-selector.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { apiVersionOf } from '../../../src/api/resource.ts';
import { newConflict, newInvalid, newNotFound } from '../../../src/api/status-error.ts';
import type { Path } from '../../../src/api/structured-merge-diff/path-element.ts';
import type { AdmissionAttributes } from '../admission/chain.ts';
import { fieldNames } from '../apiextensions/json-path.ts';
import { customScaleOf, withCustomReplicas } from '../apiextensions/scale.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import { FieldOwners, ownersOf } from '../managedfields/field-owners.ts';
import { type Managed, NOBODY } from '../managedfields/managed.ts';
import { ownersOfScale, ownersOfScaled } from '../managedfields/scale-handler.ts';
import { managerOf, scaleFieldManagerOf } from '../managedfields/track.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { updateObject } from '../storage/update.ts';
import { readConfig, reportDuplicates } from './apply.ts';
import { applyPatch, assertPatchType, PATCH_TYPES } from './apply-patch.ts';
import { bodyOf } from './body.ts';
import { withNamespace } from './create.ts';
import { decodeAs, decodeStrictly } from './decode-body.ts';
import { readPatched } from './patch.ts';
import { isTrue } from './query.ts';
import { withName } from './update.ts';

/** A kind with replicas: what `scale` reads and writes. */
type Scalable = KubernetesObject & {
  spec?: { replicas?: number; selector?: LabelSelector | Record<string, string> };
  status?: { replicas?: number };
};

const REPLICAS: Path = ['f:spec', 'f:replicas'];

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** GET of scale. pkg/registry/apps/deployment/storage.ScaleREST.Get and its siblings */
export function getScale(context: RequestContext): ApiResponse {
  return { code: 200, body: scaleIn(context, present(context)) };
}

/** PUT to scale. */
export function* updateScale(context: RequestContext): Steps<ApiResponse> {
  const scale = decodeAs<Scale>(context, SCALE, bodyOf(context, SCALE));
  return yield* writeScale(context, (old, owners) => tracked(context, { old, scale, owners }), scale.metadata?.uid);
}

/** PATCH of scale: the patch is applied to the Scale. */
export function* patchScale(context: RequestContext): Steps<ApiResponse> {
  if (assertPatchType(context) === PATCH_TYPES.apply) return yield* writeScale(context, (old, owners) => applied(context, old, owners));
  return yield* writeScale(context, (old, owners) =>
    tracked(context, { old, scale: readPatched<Scale>(context, SCALE, applyPatch(context, scaleIn(context, old))), owners }),
  );
}

/** A Scale that is to be, and who owns what of it then. */
interface Scaled {
  readonly scale: Scale;
  readonly owners: Managed;
}

function tracked(context: RequestContext, { old, scale, owners }: Scaled & { old: Scalable }): Scaled {
  const update = { live: scaleIn(context, old), next: scale, manager: managerOf(context), time: context.server.now };
  return { scale, owners: scaleFieldManagerOf(context).update(update, owners) };
}

function applied(context: RequestContext, old: Scalable, owners: Managed): Scaled {
  const { query } = context.request;
  const { config, duplicates } = readConfig(context);
  const live = scaleIn(context, old);
  const { object, managed } = scaleFieldManagerOf(context).apply(
    { live, config, manager: query['fieldManager'] ?? '', force: isTrue(query['force']), time: context.server.now },
    owners,
  );
  reportDuplicates(context, duplicates);
  return { scale: object === undefined ? live : decodeStrictly<Scale>({ value: object }, SCALE).object, owners: managed };
}

/** @param uid which the object must have */
function* writeScale(context: RequestContext, scaleFor: (old: Scalable, owners: Managed) => Scaled, uid?: string): Steps<ApiResponse> {
  const { name } = context.request.info;
  present(context);
  const asObject: RequestContext = { ...context, storage: context.storage };
  const result = yield* updateObject(asObject, {
    name,
    uid,
    transform: (old) => {
      const replicasPath = (): Path => replicasPathOf(context);
      const parent = ownersOf(old as Scalable)?.managed ?? NOBODY;
      const { scale, owners } = scaleFor(old as Scalable, ownersOfScale(parent, replicasPath));
      const next = withReplicas(context, old as Scalable, checked(context, scale, old as Scalable));
      context.owners.next = FieldOwners.of(ownersOfScaled(parent, owners, { replicasPath, apiVersion: apiVersionOf(context.resource) }));
      return mutateScale(asObject, next, old as Scalable);
    },
    check: (candidate, old) => context.server.admission.validate(scaleAttributes(asObject, candidate, old as Scalable)),
    allowCreate: false,
  });
  return { code: 200, body: scaleIn(context, result.object as Scalable) };
}

/** Admission sees the Scale, not what is scaled. */
function scaleAttributes(context: RequestContext, object: Scalable, old: Scalable): AdmissionAttributes {
  const name = object.metadata.name ?? '';
  return { context, operation: 'UPDATE', name, object: scaleIn(context, object), oldObject: scaleIn(context, old) };
}

function* mutateScale(context: RequestContext, object: Scalable, old: Scalable): Steps<Scalable> {
  const attributes = scaleAttributes(context, object, old);
  const admitted = (yield* context.server.admission.mutate(attributes)) as Scale;
  if (admitted === attributes.object) return object;
  const { metadata } = object;
  return { ...withReplicas(context, object, admitted), metadata };
}

/** Every version of the built-in kinds has them in the same place. */
function replicasPathOf({ resource }: RequestContext): Path {
  const path = customResourceVersionOf(resource)?.version.subresources?.scale?.specReplicasPath;
  return path === undefined ? REPLICAS : (fieldNames(path) ?? []).map((name) => `f:${name}` as Path[number]);
}

function checked(context: RequestContext, scale: Scale, old: Scalable): Scale {
  const { request, resource } = context;
  const { name } = request.info;
  withName(context, withNamespace(context, scale));
  const { uid } = scale.metadata;
  const present = old.metadata.uid ?? '';
  if (uid && uid !== present) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${present}`;
    throw newConflict({ group: resource.group, resource: `${resource.resource}/scale` }, name, why);
  }
  const replicas = scale.spec?.replicas ?? 0;
  // Custom resources are checked as a whole.
  if (replicas < 0 && !customResourceVersionOf(resource)) {
    const error = {
      reason: 'FieldValueInvalid',
      field: 'spec.replicas',
      body: `Invalid value: ${replicas}: must be greater than or equal to 0`,
    };
    throw newInvalid({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
  }
  return scale;
}

function withReplicas({ resource }: RequestContext, old: Scalable, scale: Scale): Scalable {
  const custom = customResourceVersionOf(resource);
  const replicas = scale.spec?.replicas ?? 0;
  const { resourceVersion } = scale.metadata ?? {};
  // A Scale may come without version also where the object may not.
  const present = custom ? old.metadata.resourceVersion : '';
  const metadata = { ...old.metadata, resourceVersion: resourceVersion || (present ?? '') };
  if (custom) return withCustomReplicas(custom, { ...old, metadata }, replicas);
  return { ...old, metadata, spec: { ...old.spec, replicas } };
}

function scaleIn({ resource }: RequestContext, object: Scalable): Scale {
  const custom = customResourceVersionOf(resource);
  return custom ? customScaleOf(custom, object) : scaleOf(object);
}

function present(context: RequestContext): Scalable {
  const { name } = context.request.info;
  const object = context.storage.get(context.namespace, name);
  if (!object) throw newNotFound(context.resource, name);
  return object as Scalable;
}

/** pkg/registry/apps/deployment/storage.scaleFromDeployment */
export function scaleOf(object: Scalable): Scale {
  const { name = '', namespace = '', uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      namespace,
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(creationTimestamp ? { creationTimestamp } : {}),
    },
    spec: object.spec?.replicas ? { replicas: object.spec.replicas } : {},
    status: { replicas: object.status?.replicas ?? 0, ...(selector ? { selector } : {}) },
  };
}

function selectorText(object: Scalable): string {
  const selector = object.spec?.selector;
  if (!selector) return '';
  if (object.kind === 'ReplicationController') return selectorFromSet(selector as Record<string, string>).toString();
  return labelSelectorAsSelector(selector as LabelSelector).toString();
}
