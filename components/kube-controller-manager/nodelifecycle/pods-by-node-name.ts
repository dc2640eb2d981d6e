import type { Pod } from '../../../src/api/kinds/core-v1.ts';

/** The name of the index that finds pods by the node that they are bound to. */
export const NODE_NAME_INDEX = 'spec.nodeName';

/** For `addIndexers` of the pods' informer; pods that are not bound are under ''. */
export const podsByNodeName = { [NODE_NAME_INDEX]: (pod: Pod): string[] => [pod.spec?.nodeName ?? ''] };
