import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import {
  labelSelectorAsSelector,
  newSelector,
  type Requirement,
  type Selector,
  selectorFromSet,
} from '../../../../src/api/label-selector.ts';
import { getControllerOf } from '../../../../src/api/meta.ts';
import type { Listers } from '../../framework/listers.ts';

/** plugins/helper/spread.go DefaultSelector: what a pod's Services and its owner select it by, put together. */
export function defaultSelector(pod: Pod, listers: Listers): Selector {
  const namespace = pod.metadata.namespace ?? '';
  let labels: Record<string, string> = {};
  for (const service of listers.services.listNamespace(namespace)) {
    const selector = service.spec?.selector;
    if (!selector || Object.keys(selector).length === 0 || !selectorFromSet(selector).matches(pod.metadata.labels)) continue;
    labels = { ...labels, ...selector };
  }
  const owner = getControllerOf(pod);
  const key = `${namespace}/${owner?.name}`;
  if (owner?.kind === 'ReplicationController') labels = { ...labels, ...listers.replicationControllers.get(key)?.spec?.selector };
  const merged = selectorFromSet(labels);
  if (owner?.kind !== 'ReplicaSet' && owner?.kind !== 'StatefulSet') return merged;
  const set = owner.kind === 'ReplicaSet' ? listers.replicaSets.get(key) : listers.statefulSets.get(key);
  if (!set?.spec) return merged;
  const more: readonly Requirement[] = labelSelectorAsSelector(set.spec.selector).requirements;
  return newSelector([...merged.requirements, ...more]);
}
