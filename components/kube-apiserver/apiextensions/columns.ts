import type { CustomResourceColumnDefinition } from '../../../src/api/kinds/apiextensions-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { type Cell, since } from '../printers/cell.ts';
import { findByPath, parseJsonPath } from './json-path.ts';

const NAME_DESCRIPTION =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
const AGE_DESCRIPTION =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** The columns of a custom resource in a Table. apiextensions-apiserver pkg/registry/customresource/tableconvertor */
export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  cells(object: KubernetesObject, now: number): Cell[];
}

const DEFAULT: readonly CustomResourceColumnDefinition[] = [
  { name: 'Age', type: 'date', description: AGE_DESCRIPTION, jsonPath: '.metadata.creationTimestamp' },
];

export function tableColumns(given: readonly CustomResourceColumnDefinition[] | undefined): TableColumns {
  const columns = given?.length ? given : DEFAULT;
  const readers = columns.map(({ type, jsonPath }) => ({ type, steps: parseJsonPath(jsonPath) }));
  return {
    definitions: [
      { name: 'Name', type: 'string', format: 'name', description: NAME_DESCRIPTION, priority: 0 },
      ...columns.map(({ name, type, format = '', description, jsonPath, priority = 0 }) => ({
        name,
        type,
        format,
        description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
        priority,
      })),
    ],
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...readers.map(({ type, steps }) => cellOf(steps && findByPath(object, steps)[0], type, now)),
    ],
  };
}

function cellOf(value: unknown, type: string, now: number): Cell {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date': {
      const age = typeof value === 'string' ? since(value, now) : '<unknown>';
      return age === '<unknown>' ? '<invalid>' : age;
    }
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}
