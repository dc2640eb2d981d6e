import type { Cluster } from '../cluster/cluster.ts';
import { objectsAt } from '../cluster/history.ts';
import { toYaml } from '../kubectl/yaml-output.ts';

/** All objects at the end, as `kubectl get -o yaml` would print them: a List. */
export function dumpYaml(cluster: Cluster): string {
  return `${toYaml({ apiVersion: 'v1', items: objectsAt(cluster), kind: 'List', metadata: { resourceVersion: '' } })}\n`;
}
