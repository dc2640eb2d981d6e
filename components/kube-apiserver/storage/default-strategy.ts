import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Strategy } from './strategy.ts';

type WithSpec = KubernetesObject & { spec?: unknown; status?: unknown };

/** Rules of a kind with spec and status and nothing special: generation counts changes of the spec, status changes through its subresource only. */
export function defaultStrategy(options: { readonly status: boolean; readonly generation: boolean }): Strategy<WithSpec> {
  const { status, generation } = options;
  return {
    prepareForCreate: (_context, object) => {
      const { status: _, ...rest } = object;
      const kept: WithSpec = status ? rest : object;
      return generation ? { ...kept, metadata: { ...kept.metadata, generation: 1 } } : kept;
    },
    prepareForUpdate: (_context, object, old) => {
      const kept = status ? withStatusOf(object, old) : object;
      if (!generation || deepEqual(kept.spec, old.spec)) return kept;
      return { ...kept, metadata: { ...kept.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
    },
    subresources: {
      status: {
        prepareForUpdate: (_context, object, old) => {
          const { status: _, ...rest } = old;
          return { ...rest, metadata: object.metadata, ...(object.status === undefined ? {} : { status: object.status }) };
        },
      },
    },
  };
}

function withStatusOf(object: WithSpec, old: WithSpec): WithSpec {
  if (object.status === old.status) return object;
  const { status: _, ...rest } = object;
  return old.status === undefined ? rest : { ...rest, status: old.status };
}
