import type { Pod, Toleration } from '../../../src/api/kinds/core-v1.ts';
import type { AdmissionPlugin } from './chain.ts';

const KEYS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const SECONDS = 300;

/** Pods stay five minutes on a node that fails. plugin/pkg/admission/defaulttolerationseconds */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  resources: ['pods'],
  mutate: ({ context, operation, object }) => {
    if (context.subresource || !object || (operation !== 'CREATE' && operation !== 'UPDATE')) return undefined;
    const { spec } = object as Pod;
    const tolerations = spec?.tolerations ?? [];
    const missing = KEYS.filter((key) => !tolerations.some((toleration) => covers(toleration, key)));
    if (missing.length === 0) return undefined;
    const added: Toleration[] = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS }));
    return { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } } as Pod;
  },
};

const covers = ({ key, effect }: Toleration, wanted: string): boolean => (!key || key === wanted) && (!effect || effect === 'NoExecute');
