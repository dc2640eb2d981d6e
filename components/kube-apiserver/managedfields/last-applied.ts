import type { KubernetesObject } from '../../../src/api/object.ts';
import type { FieldSet } from '../../../src/api/structured-merge-diff/field-set.ts';
import { ValidationErrors } from '../../../src/api/structured-merge-diff/validate.ts';
import type { TypeConverter } from './type-converter.ts';

/** The one manager that is taken to go on where `kubectl apply` on the client's side left off. */
export const LAST_APPLIED_MANAGER = 'kubectl';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** apimachinery pkg/api/validation.TotalAnnotationSizeLimitB */
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/**
 * Fields that the annotation of `kubectl apply` holds and the object still has as they were: conflicts about them are none.
 * Undefined without a usable annotation. apimachinery pkg/util/managedfields/internal.lastAppliedManager
 */
export function allowedByLastApplied(live: KubernetesObject, apiVersion: string, types: TypeConverter): FieldSet | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED];
  const config = text ? parse(text) : undefined;
  if (config?.['apiVersion'] !== apiVersion) return undefined;
  try {
    const lastApplied = types.toTypedConfig(config);
    const { modified, added, removed } = lastApplied.compare(types.toTyped(live, { allowDuplicates: true }));
    return lastApplied.toFieldSet().difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof ValidationErrors) return undefined;
    throw error;
  }
}

/**
 * The object with the annotation of `kubectl apply`, if it has one, telling what was applied now; undefined when there is nothing to tell.
 * apimachinery pkg/util/managedfields/internal.lastAppliedUpdater
 */
export function withLastApplied(object: KubernetesObject, config: Record<string, unknown>): KubernetesObject | undefined {
  const { annotations } = object.metadata;
  if (!annotations?.[LAST_APPLIED]) return undefined;
  const metadata = config['metadata'] as { annotations?: Record<string, string> } | undefined;
  const { [LAST_APPLIED]: _, ...applied } = metadata?.annotations ?? {};
  const kept = Object.keys(applied).length > 0 ? { annotations: applied } : {};
  const { annotations: _annotations, ...rest } = metadata ?? {};
  const text = `${sortedJson({ ...config, metadata: { ...rest, ...kept } })}\n`;
  const { [LAST_APPLIED]: _old, ...others } = annotations;
  const size = Object.entries(others).reduce((sum, [key, value]) => sum + key.length + value.length, LAST_APPLIED.length + text.length);
  const value = size > MAX_ANNOTATIONS_BYTES ? '' : text;
  return { ...object, metadata: { ...object.metadata, annotations: { ...others, [LAST_APPLIED]: value } } };
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
