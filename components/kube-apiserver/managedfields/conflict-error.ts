import { ApiStatusError } from '../../../src/api/status-error.ts';
import type { FieldConflicts } from '../../../src/api/structured-merge-diff/managed-sets.ts';
import { printPath } from '../../../src/api/structured-merge-diff/path-element.ts';
import { quote } from '../../../src/api/validation/field.ts';
import { readIdentity } from './managed.ts';

/** The 409 that names who owns what an apply would change. apimachinery pkg/util/managedfields/internal.NewConflictError */
export function newApplyConflict({ conflicts }: FieldConflicts): ApiStatusError {
  const found = conflicts.map(({ manager, path }) => ({ who: printManager(manager), field: printPath(path) }));
  return new ApiStatusError({
    message: conflictMessage(found),
    reason: 'Conflict',
    details: { causes: found.map(({ who, field }) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })) },
    code: 409,
  });
}

function conflictMessage(found: readonly { who: string; field: string }[]): string {
  const [first] = found;
  if (found.length === 1 && first) return `Apply failed with 1 conflict: conflict with ${first.who}: ${first.field}`;
  const fieldsOf = new Map<string, string[]>();
  for (const { who, field } of found) fieldsOf.set(who, [...(fieldsOf.get(who) ?? []), field]);
  const groups = [...fieldsOf].map(([who, fields]) => `conflicts with ${who}:\n${fields.map((field) => `- ${field}`).join('\n')}`);
  return `Apply failed with ${found.length} conflicts: ${groups.join('\n')}`;
}

/** apimachinery pkg/util/managedfields/internal.printManager */
function printManager(identity: string): string {
  const { manager = '', operation, apiVersion = '', subresource } = readIdentity(identity);
  const named = subresource ? `${quote(manager)} with subresource ${quote(subresource)}` : quote(manager);
  return operation === 'Update' ? `${named} using ${apiVersion}` : named;
}
