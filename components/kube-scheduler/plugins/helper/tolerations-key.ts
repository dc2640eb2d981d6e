import type { Pod } from '../../../../src/api/kinds/core-v1.ts';

/** Equal for pods with the same tolerations. */
export function tolerationsKey({ spec }: Pod): string {
  return spec?.tolerations?.length ? JSON.stringify(spec.tolerations) : '';
}
