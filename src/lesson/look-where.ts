import type { Check, Selection } from './check.ts';

/** The command that shows what a check is about; undefined when it is about the trace. */
export function lookWhere(check: Check): string | undefined {
  switch (check.check) {
    case 'all':
    case 'any':
      return undefined;
    case 'not':
      return lookWhere(check.of);
    case 'count':
    case 'exists':
    case 'absent':
    case 'object':
      return `kubectl get ${target(check.of)}`;
    default:
      return undefined;
  }
}

function target({ kind, name, namespace }: Selection): string {
  const exact = name !== undefined && !name.includes('*') ? ` ${name}` : '';
  return `${kind.toLowerCase()}${exact}${namespace === undefined ? '' : ` -n ${namespace}`}`;
}
