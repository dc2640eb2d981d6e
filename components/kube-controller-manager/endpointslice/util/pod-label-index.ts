import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { Indexer } from '../../../../src/client/indexer.ts';

const LABEL_INDEX = 'metadata.labels';

/** For `addIndexers` of the pods' informer: finds pods of a namespace by one label. */
export const podsByLabel = {
  [LABEL_INDEX]: ({ metadata: { namespace, labels } }: Pod): string[] => {
    const pairs: string[] = [];
    for (const key in labels) pairs.push(labelPair(namespace, key, labels[key] ?? ''));
    return pairs;
  },
};

/** How the index names a label. */
export function labelPair(namespace: string | undefined, key: string, value: string): string {
  return `${namespace}/${key}=${value}`;
}

/** One label that a selector asks for, as the index names it; undefined when it asks for none. */
export function firstPair(namespace: string | undefined, selector: Readonly<Record<string, string>>): string | undefined {
  const key = Object.keys(selector).sort()[0];
  return key === undefined ? undefined : labelPair(namespace, key, selector[key] ?? '');
}

/** Whether every pair of the selector is among the labels. */
export function selectorMatches(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>> | undefined): boolean {
  for (const key in selector) if (labels?.[key] !== selector[key]) return false;
  return true;
}

/** Pods of a namespace with all of these labels; all pods of it when there are none. */
export function podsWithLabels(
  pods: Indexer<Pod>,
  namespace: string | undefined,
  labels: Readonly<Record<string, string>>,
): readonly Pod[] {
  const pair = firstPair(namespace, labels);
  const candidates = pair === undefined ? pods.listNamespace(namespace ?? '') : pods.byIndex(LABEL_INDEX, pair);
  return Object.keys(labels).length <= 1 ? candidates : candidates.filter((pod) => selectorMatches(labels, pod.metadata.labels));
}
