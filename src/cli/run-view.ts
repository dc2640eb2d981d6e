import type { Cluster } from '../cluster/cluster.ts';
import { objectAt, objectsAt } from '../cluster/history.ts';
import type { RunView } from '../tui/model/run-view.ts';

/** What the user interface sees of a cluster: its trace, and its objects by revision. */
export function runViewOf(cluster: Cluster): RunView {
  const { simulation } = cluster;
  return {
    get entries() {
      return simulation.trace.entries;
    },
    epoch: simulation.epoch,
    readObject: (reference, revision) => objectAt(cluster, reference, revision),
    listObjects: (revision) => objectsAt(cluster, revision),
    subscribe: (listener) => simulation.trace.listen(listener),
  };
}
