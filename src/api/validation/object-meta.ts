import { semanticDeepEqual } from '../deep-equal.ts';
import type { ObjectMeta, OwnerReference } from '../kinds/meta-v1.ts';
import { parseGroupVersion } from '../meta.ts';
import type { FieldError } from '../status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue, maskTrailingDash } from './content.ts';
import { forbidden, invalid, invalidPrinted, required, tooLong } from './field.ts';

/** Checks a name; `prefix` when it is a generateName. Texts of what is wrong. apimachinery api/validation ValidateNameFunc */
export type ValidateName = (name: string, prefix: boolean) => readonly string[];

/** apimachinery api/validation NameIsDNSSubdomain */
export const nameIsDNSSubdomain: ValidateName = (name, prefix) => isDNS1123Subdomain(prefix ? maskTrailingDash(name) : name);

/** apimachinery api/validation NameIsDNSLabel */
export const nameIsDNSLabel: ValidateName = (name, prefix) => isDNS1123Label(prefix ? maskTrailingDash(name) : name);

const TOTAL_ANNOTATION_SIZE = 256 * 1024;
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const FIELD_IMMUTABLE = 'field is immutable';

interface MetaRules {
  readonly namespaced: boolean;
  readonly validateName: ValidateName;
  /** Core kinds: finalizers must be standard or have a domain. */
  readonly core?: boolean;
  readonly path?: string;
}

/** apimachinery api/validation ValidateObjectMeta */
export function validateObjectMeta(meta: ObjectMeta, rules: MetaRules): FieldError[] {
  const path = rules.path ?? 'metadata';
  const errors: FieldError[] = [];
  if (meta.generateName)
    for (const message of rules.validateName(meta.generateName, true))
      errors.push(invalid(`${path}.generateName`, meta.generateName, message));
  if (!meta.name) errors.push(required(`${path}.name`, 'name or generateName is required'));
  else for (const message of rules.validateName(meta.name, false)) errors.push(invalid(`${path}.name`, meta.name, message));
  if (rules.namespaced) {
    if (!meta.namespace) errors.push(required(`${path}.namespace`));
    else for (const message of isDNS1123Label(meta.namespace)) errors.push(invalid(`${path}.namespace`, meta.namespace, message));
  } else if (meta.namespace) errors.push(forbidden(`${path}.namespace`, 'not allowed on this type'));
  if (meta.generation !== undefined && meta.generation < 0)
    errors.push(invalid(`${path}.generation`, meta.generation, 'must be greater than or equal to 0'));
  if (meta.labels) errors.push(...validateLabels(meta.labels, `${path}.labels`));
  if (meta.annotations) errors.push(...validateAnnotations(meta.annotations, `${path}.annotations`));
  if (meta.ownerReferences) errors.push(...validateOwnerReferences(meta.ownerReferences, `${path}.ownerReferences`));
  if (meta.finalizers) errors.push(...validateFinalizers(meta.finalizers, `${path}.finalizers`, rules.core ?? false));
  return errors;
}

/** apimachinery meta/v1/validation ValidateLabels */
export function validateLabels(labels: Readonly<Record<string, string>>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    for (const message of isQualifiedName(key)) errors.push(invalid(path, key, message));
    const value = labels[key] ?? '';
    for (const message of isValidLabelValue(value)) errors.push(invalid(path, value, message));
  }
  return errors;
}

/** apimachinery api/validation ValidateAnnotations */
export function validateAnnotations(annotations: Readonly<Record<string, string>>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in annotations) {
    for (const message of isQualifiedName(key.toLowerCase())) errors.push(invalid(path, key, message));
    size += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (size > TOTAL_ANNOTATION_SIZE) errors.push(tooLong(path, TOTAL_ANNOTATION_SIZE));
  return errors;
}

/** How many bytes a text takes in UTF-8. */
export function byteLength(text: string): number {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return new TextEncoder().encode(text).length;
  return text.length;
}

function validateOwnerReferences(references: readonly OwnerReference[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller: OwnerReference | undefined;
  // The real server leaves the index out.
  const at = path;
  for (const reference of references) {
    const malformed = (reference.apiVersion ?? '').split('/').length > 2;
    const { group, version } = parseGroupVersion(malformed ? '' : reference.apiVersion);
    if (!version) errors.push(invalid(`${at}.apiVersion`, reference.apiVersion, 'version must not be empty'));
    if (!reference.kind) errors.push(invalid(`${at}.kind`, '', 'must not be empty'));
    if (!reference.name) errors.push(invalid(`${at}.name`, '', 'must not be empty'));
    if (!reference.uid) errors.push(invalid(`${at}.uid`, '', 'must not be empty'));
    if (group === '' && version === 'v1' && reference.kind === 'Event')
      errors.push(invalidPrinted(at, printOwner(reference), '/v1, Kind=Event is disallowed from being an owner'));
    if (reference.controller !== true) continue;
    if (controller) {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller.kind}/${controller.name} and ${reference.kind}/${reference.name}`;
      errors.push(invalidPrinted(path, `[${references.map(printOwner).join(',')}]`, detail));
    } else controller = reference;
  }
  return errors;
}

function printOwner({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify({ apiVersion, kind, name, uid, controller, blockOwnerDeletion });
}

function validateFinalizers(finalizers: readonly string[], path: string, core: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, finalizer] of finalizers.entries()) {
    for (const message of isQualifiedName(finalizer)) errors.push(invalid(path, finalizer, message));
    if (core) errors.push(...validateFinalizerName(finalizer, `${path}[${index}]`));
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** kubernetes apis/core/validation ValidateFinalizerName, the part that only core kinds have. */
export function validateFinalizerName(finalizer: string, path: string): FieldError[] {
  if (finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)) return [];
  return [invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}

/** apimachinery api/validation ValidateObjectMetaUpdate */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta, path = 'metadata'): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) {
    const added = (meta.finalizers ?? []).filter((finalizer) => !old.finalizers?.includes(finalizer)).sort();
    if (added.length > 0) {
      const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
      errors.push(
        forbidden(
          `${path}.finalizers`,
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
        ),
      );
    }
  }
  if (!meta.resourceVersion) errors.push(invalid(`${path}.resourceVersion`, '', 'must be specified for an update'));
  if ((meta.generation ?? 0) < (old.generation ?? 0))
    errors.push(invalid(`${path}.generation`, meta.generation ?? 0, 'must not be decremented'));
  const immutable = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;
  for (const name of immutable) {
    const value = meta[name];
    if ((value ?? '') === (old[name] ?? '')) continue;
    const text = name === 'name' || name === 'namespace' || name === 'uid' ? (value ?? '') : value;
    errors.push(invalid(`${path}.${name}`, text, FIELD_IMMUTABLE));
  }
  if (meta.labels) errors.push(...validateLabels(meta.labels, `${path}.labels`));
  if (meta.annotations) errors.push(...validateAnnotations(meta.annotations, `${path}.annotations`));
  if (meta.ownerReferences) errors.push(...validateOwnerReferences(meta.ownerReferences, `${path}.ownerReferences`));
  return errors;
}

/** apimachinery api/validation ValidateImmutableField */
export function validateImmutableField(value: unknown, old: unknown, path: string): FieldError[] {
  return semanticDeepEqual(value, old) ? [] : [invalid(path, value, FIELD_IMMUTABLE)];
}
