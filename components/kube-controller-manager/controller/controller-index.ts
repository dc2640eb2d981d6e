import { getControllerOf } from '../../../src/api/meta.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { SharedInformer } from '../../../src/client/informer.ts';

const INDEX = 'controllerUID';

/** Files objects under the UID of their controller, orphans under their namespace: pkg/controller/controller_utils.go AddPodControllerIndexer */
export function addControllerIndexer<T extends KubernetesObject>(informer: SharedInformer<T>): void {
  informer.addIndexers({ [INDEX]: (object) => [getControllerOf(object)?.uid ?? orphansOf(object.metadata.namespace)] });
}

/** pkg/controller/controller_utils.go FilterPodsByOwner, without orphans */
export function listControlledBy<T extends KubernetesObject>(store: Indexer<T>, uid: string): readonly T[] {
  return store.byIndex(INDEX, uid);
}

/** Objects of the namespace that no controller owns. */
export function listOrphans<T extends KubernetesObject>(store: Indexer<T>, namespace: string): readonly T[] {
  return store.byIndex(INDEX, orphansOf(namespace));
}

function orphansOf(namespace: string | undefined): string {
  return `_orphans/${namespace ?? ''}`;
}
