import type { DeleteOptions } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { loopbackContext } from '../loopback.ts';
import type { ServerCore } from '../server-core.ts';
import { runSteps } from '../steps.ts';
import { deleteObject } from '../storage/delete.ts';
import type { ResourceStorage } from '../storage/resource-storage.ts';

export const DELETE_OPTIONS: DeleteOptions = {};

/** Deletes one object as a delete of its collection would; finalizers hold it as always. apiextensions-apiserver pkg/controller/finalizer.deleteInstances */
export function finalizeInstance(
  server: ServerCore,
  storage: ResourceStorage,
  { object, options }: { readonly object: KubernetesObject; readonly options: DeleteOptions },
): void {
  if (object.metadata.deletionTimestamp) return;
  const context = loopbackContext(server, { storage, object, verb: 'delete' });
  void runSteps(deleteObject(context, object.metadata.name ?? '', { options, check: function* () {} }));
}
