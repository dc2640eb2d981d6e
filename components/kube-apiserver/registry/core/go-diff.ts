import type { PodSpec } from '../../../../src/api/kinds/core-v1.ts';
import { goJson } from '../../../../src/api/validation/field.ts';
import { GO_STRUCTS } from './go-structs.ts';
import { unifiedDiff } from './unified-diff.ts';

interface GoField {
  readonly json: string;
  readonly go: string;
  readonly holds: string;
}

const parsed = new Map<string, readonly GoField[]>();

function fieldsOf(struct: string): readonly GoField[] {
  let fields = parsed.get(struct);
  if (!fields) {
    fields = (GO_STRUCTS[struct] ?? '').split(',').flatMap((text): readonly GoField[] => {
      const [names = '', holds = ''] = text.trim().split(/\s+/);
      if (names === '...') return fieldsOf(holds);
      const [json = '', go = json.charAt(0).toUpperCase() + json.slice(1)] = names.split('>');
      return [{ json, go, holds }];
    });
    parsed.set(struct, fields);
  }
  return fields;
}

/** The value as the Go implementation keeps it, with the names that its fields have there, as JSON prints it. */
function goStruct(struct: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(fieldsOf(struct).map(({ json, go, holds }) => [go, goValue(holds, value[json] ?? undefined)]));
}

function goValue(holds: string, value: unknown): unknown {
  const zero = ZEROS.get(holds);
  if (zero !== undefined) return value ?? zero;
  const struct = holds.replace(/^[*[]/, '');
  if (value === undefined) return GO_STRUCTS[struct] && struct === holds ? goStruct(struct, {}) : null;
  if (holds === '?') return inOrder(value);
  if (holds === 'selector') return goSelector(value as Selector);
  if (Array.isArray(value)) return value.map((item) => goStruct(struct, item as Record<string, unknown>));
  return goStruct(struct, value as Record<string, unknown>);
}

const ZEROS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["''", ''],
  ["'0'", '0'],
  ['0', 0],
  ['false', false],
]);

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}

/** metav1.LabelSelector knows how it is written in the API. */
function goSelector({ matchLabels, matchExpressions }: Selector): unknown {
  return {
    ...(matchLabels ? { matchLabels: inOrder(matchLabels) } : {}),
    ...(matchExpressions
      ? {
          matchExpressions: matchExpressions.map(({ key, operator, values }) => ({ key, operator, ...(values?.length ? { values } : {}) })),
        }
      : {}),
  };
}

/** Maps are printed by key. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A unified diff of two structs as Go keeps them, for errors that show what may not change: apimachinery util/diff Diff.
 * @param struct its name in `GO_STRUCTS`
 */
export function structDiff(struct: string, before: object, after: object): string {
  const lines = (value: object): string[] => goJson(goStruct(struct, value as Record<string, unknown>), 1).split('\n');
  return unifiedDiff(lines(before), lines(after));
}

/** The same of two pods' specs: there what concerns the host is part of the security context. */
export function podSpecDiff(before: PodSpec, after: PodSpec): string {
  return structDiff('PodSpec', internalSpec(before), internalSpec(after));
}

function internalSpec(spec: PodSpec): object {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
  return { ...spec, securityContext: { ...securityContext, hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } };
}
