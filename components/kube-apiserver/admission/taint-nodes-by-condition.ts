import type { Node } from '../../../src/api/kinds/core-v1.ts';
import type { AdmissionPlugin } from './chain.ts';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** A new node takes no pods before it is known to be ready. plugin/pkg/admission/nodetaint */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  resources: ['nodes'],
  mutate: ({ context, operation, object }) => {
    if (operation !== 'CREATE' || context.subresource) return undefined;
    const node = object as Node;
    const taints = node.spec?.taints ?? [];
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return undefined;
    return { ...node, spec: { ...node.spec, taints: [...taints, NOT_READY] } } as Node;
  },
};
