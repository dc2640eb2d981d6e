import { parseFieldSelector, unsupportedFieldLabel } from '../../../src/api/field-selector.ts';
import { parseLabelSelector } from '../../../src/api/label-selector.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';
import { EVENT_V1_FIELDS } from './kind-rules.ts';
import type { ResourceStorage } from './resource-storage.ts';

/** Which objects of a resource a list, watch or deletecollection is about. apiserver pkg/storage.SelectionPredicate */
export interface Selection<T extends KubernetesObject> {
  /** No selector at all. */
  readonly everything: boolean;
  /** The one name that can match, if the field selector says so. */
  readonly name: string | undefined;
  /** The value that the field selector demands of a field, if it does. */
  fieldEquals(field: string): string | undefined;
  matches(object: T): boolean;
}

type FieldGetter<T> = (object: T) => string;

/** Reads the selectors of a request. @throws ApiStatusError 400 for what cannot be read, or a field the kind does not offer */
export function selectionOf<T extends KubernetesObject>(
  { storage, resource }: { readonly storage: ResourceStorage<T>; readonly resource: Resource },
  query: Readonly<Record<string, string>>,
): Selection<T> {
  const labels = parseLabelSelector(query['labelSelector']);
  const fields = parseFieldSelector(query['fieldSelector']);
  const getters = new Map<string, FieldGetter<T>>();
  for (const { field } of fields.requirements) getters.set(field, getterOf(storage, resource, field));
  const fieldEquals = (field: string): string | undefined =>
    fields.requirements.find((term) => term.field === field && term.operator === '=')?.value;
  return {
    everything: labels.empty && fields.empty,
    name: fieldEquals('metadata.name'),
    fieldEquals,
    matches: (object) =>
      (labels.empty || labels.matches(object.metadata.labels)) &&
      (fields.empty || fields.matches((field) => getters.get(field)?.(object) ?? '')),
  };
}

function getterOf<T extends KubernetesObject>(storage: ResourceStorage<T>, resource: Resource, field: string): FieldGetter<T> {
  const { strategy } = storage;
  const selectableFields =
    resource.group === 'events.k8s.io' ? EVENT_V1_FIELDS : (strategy.fieldsOf?.({ resource }) ?? strategy.selectableFields);
  if (field === 'metadata.name') return (object) => object.metadata.name ?? '';
  if (field === 'metadata.namespace' && storage.resource.namespaced) return (object) => object.metadata.namespace ?? '';
  const getter = selectableFields?.[field];
  if (!getter) throw newBadRequest(unsupportedFieldLabel(field, Object.keys(selectableFields ?? {}).length > 0));
  return getter;
}
