import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { ControllerRevision, StatefulSet } from '../../../src/api/kinds/apps-v1.ts';
import { newControllerRef } from '../../../src/api/meta.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import {
  createControllerRevision,
  equalRevision,
  getPatch,
  newControllerRevision,
  updateControllerRevision,
} from '../history/controller-history.ts';
import { type Revisions, STATEFUL_SET } from './stateful-set-utils.ts';

/**
 * The revision that pods have, and the one that they are to get: found, raised to the newest or created.
 * pkg/controller/statefulset/stateful_set_control.go getStatefulSetRevisions
 * @param revisions all of the set, oldest first
 */
export async function getStatefulSetRevisions(
  client: ResourceClient<ControllerRevision>,
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
): Promise<Revisions> {
  const newest = revisions.at(-1);
  const draft = {
    parent: set,
    controllerRef: newControllerRef(set, STATEFUL_SET),
    data: getPatch(set.spec?.template),
    revision: (newest?.revision ?? 0) + 1,
    labels: set.spec?.template?.metadata?.labels,
  };
  const wanted = newControllerRevision(draft, draft.labels);
  const collisionCount = set.status?.collisionCount ?? 0;
  const equal = revisions.filter((revision) => equalRevision(revision, wanted)).at(-1);
  const withCurrent = (updateRevision: ControllerRevision, count = collisionCount): Revisions => {
    const currentRevision = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? updateRevision;
    return { currentRevision, updateRevision, collisionCount: count };
  };
  if (newest && equal && equalRevision(newest, equal)) return withCurrent(newest);
  if (equal) return withCurrent(await updateControllerRevision(client, equal, draft.revision));
  // Data of another version of Kubernetes may lack what is a default by now.
  if (newest && semanticDeepEqual(newest.data, draft.data)) return withCurrent(newest);
  const created = await createControllerRevision(client, draft, collisionCount);
  return withCurrent(created.revision, created.collisionCount);
}
