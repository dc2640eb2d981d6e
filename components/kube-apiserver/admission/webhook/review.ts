import { encodeObject } from '../../../../src/api/encode.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import { ownersOf, submittedManagedFields, withOwners, withVisibleManagedFields } from '../../managedfields/field-owners.ts';
import { conversionOf } from '../../storage/conversion.ts';
import type { AdmissionAttributes } from '../chain.ts';

/** admission.k8s.io AdmissionReview as a webhook gets it. */
export interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly request: Readonly<Record<string, unknown>> & { readonly uid: string };
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What is asked about a request in one version of its resource. apiserver pkg/admission/plugin/webhook/request.CreateAdmissionObjects */
export function admissionReview(
  attributes: AdmissionAttributes,
  asked: Resource,
  { uid, apiVersion }: { uid: string; apiVersion: string },
): AdmissionReview {
  const request = admissionRequest(attributes, asked);
  const { oldObject } = attributes;
  const seen = {
    object: withOwnersSeen(attributes, request.object),
    oldObject: oldObject ? withOwnersOf(oldObject, request.oldObject) : null,
  };
  return { apiVersion, kind: 'AdmissionReview', request: { uid, ...request, ...seen } };
}

/** The request in it without its uid; also what CEL expressions call `request`. */
export function admissionRequest(
  attributes: AdmissionAttributes,
  asked: Resource,
): Readonly<Record<string, unknown>> & { readonly object: KubernetesObject | null; readonly oldObject: KubernetesObject | null } {
  const { context, operation, name, object, oldObject } = attributes;
  const { subresource, namespace, user, dryRun, resource } = context;
  const { username, uid, groups, extra } = user;
  return {
    kind: kindOf(attributes, asked),
    resource: resourceName(asked),
    ...(subresource ? { subResource: subresource } : {}),
    requestKind: kindOf(attributes, resource),
    requestResource: resourceName(resource),
    ...(subresource ? { requestSubResource: subresource } : {}),
    ...(name ? { name } : {}),
    ...(namespace ? { namespace } : {}),
    operation,
    userInfo: {
      username,
      ...(uid ? { uid } : {}),
      ...(groups.length ? { groups } : {}),
      ...(extra && Object.keys(extra).length ? { extra } : {}),
    },
    object: versioned(attributes, object, asked),
    oldObject: versioned(attributes, oldObject, asked),
    dryRun,
    options: optionsOf(attributes),
  };
}

/** The new object with managedFields as they are to be: those that another webhook has made of them, or those of the request. */
export function withOwnersSeen<T extends KubernetesObject | null>({ context, object }: AdmissionAttributes, shown: T): T {
  if (!shown?.metadata || !object || isOwnKind(context.resource, object) || submittedManagedFields(object.metadata)) return shown;
  return withVisibleManagedFields(withOwners(shown, context.owners.next));
}

function withOwnersOf(oldObject: KubernetesObject, shown: KubernetesObject | null): KubernetesObject | null {
  return shown?.metadata ? withVisibleManagedFields(withOwners(shown, ownersOf(oldObject))) : shown;
}

const resourceName = ({ group, version, resource }: Resource): object => ({ group, version, resource });

/** Subresources with an object of their own say what it is. */
function kindOf({ context, object }: AdmissionAttributes, { group, version, kind }: Resource): GroupVersionKind {
  if (!isOwnKind(context.resource, object)) return { group, version, kind };
  const [ownGroup, ownVersion] = (object?.apiVersion ?? '').includes('/')
    ? (object?.apiVersion ?? '').split('/')
    : ['', object?.apiVersion];
  return { group: ownGroup ?? '', version: ownVersion ?? '', kind: object?.kind ?? '' };
}

function isOwnKind({ kind }: Resource, object: KubernetesObject | undefined): boolean {
  return object?.kind !== undefined && object.kind !== kind;
}

/** The object in the version that is asked about, as it is on the wire. */
export function versioned(
  { context }: AdmissionAttributes,
  object: KubernetesObject | undefined,
  asked: Resource,
): KubernetesObject | null {
  if (!object) return null;
  if (isOwnKind(context.resource, object)) return encodeObject(object);
  const conversion = asked === context.resource ? context.conversion : conversionOf(asked);
  return encodeObject(conversion ? conversion.fromStorage(object) : object);
}

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

function optionsOf({ context, operation, options }: AdmissionAttributes): unknown {
  if (operation === 'CONNECT') return null;
  const kind = { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1' };
  if (options) return { ...options, ...kind };
  const { fieldManager, fieldValidation, dryRun } = context.request.query;
  return {
    ...kind,
    ...(dryRun ? { dryRun: [dryRun] } : {}),
    ...(fieldManager ? { fieldManager } : {}),
    ...(fieldValidation ? { fieldValidation } : {}),
  };
}

/** Whether a webhook takes reviews in a version that is known here; the first that it names. */
export function reviewVersion(accepted: readonly string[] | undefined): string | undefined {
  const version = accepted?.find((candidate) => candidate === 'v1' || candidate === 'v1beta1');
  return version && `admission.k8s.io/${version}`;
}
