import type { StatefulSet } from '../../api/kinds/apps-v1.ts';
import { services, statefulsets } from '../../api/resources.ts';
import { setControllerReference } from '../../client/controller-reference.ts';
import { defineController } from '../../client/controller-runtime.ts';
import { createOrUpdate } from '../../client/create-or-update.ts';
import { type Database, databases } from './database.ts';
import { writeService, writeStatefulSet } from './database-objects.ts';

/** The custom controller of the lessons: a headless Service and a StatefulSet for each Database, and its status. */
export const databaseController = defineController<Database>({
  name: 'database',
  for: databases,
  owns: [statefulsets, services],
  reconcile: async (request, { client, reader, recorder }) => {
    const database = await reader.get(databases, request);
    if (!database || database.metadata.deletionTimestamp) return;
    const wanted = { metadata: { ...request } };
    await createOrUpdate({ client, resource: services, wanted }, (draft) => {
      writeService(draft, database);
      setControllerReference(database, draft);
    });
    const { object: set, result } = await createOrUpdate({ client, resource: statefulsets, wanted }, (draft) => {
      writeStatefulSet(draft, database);
      setControllerReference(database, draft);
    });
    if (result === 'created') recorder.event(database, 'Normal', 'Created', `Created StatefulSet ${request.name}`);

    const status = statusOf(database, set);
    if (JSON.stringify(status) === JSON.stringify(database.status)) return;
    await client.resource(databases).patch(request, { status }, { type: 'merge', subresource: 'status' });
  },
});

function statusOf({ metadata, spec }: Database, { status }: StatefulSet): NonNullable<Database['status']> {
  const readyReplicas = status?.readyReplicas ?? 0;
  const phase = readyReplicas < (spec.replicas ?? 1) ? 'Creating' : 'Running';
  return { phase, readyReplicas, observedGeneration: metadata.generation ?? 0 };
}
