import { produce } from 'immer';
import type { ObjectMeta } from '../../api/kinds/meta-v1.ts';
import { jobs } from '../../api/resources.ts';
import { isAlreadyExists } from '../../api/status-error.ts';
import { setControllerReference } from '../../client/controller-reference.ts';
import { type Controller, defineController } from '../../client/controller-runtime.ts';
import { generationChanged } from '../../client/predicates.ts';
import { type Database, databases } from './database.ts';

/**
 * The first draft of a controller that fills each new Database with its first data. It takes a call for "a Database is new", which holds until it is called again: after
 * a restart, or when the spec changes. The lessons show what comes of that; do not copy it.
 */
export const draftSeeder = seeder('draft-seeder', (database) => ({ generateName: `${database}-draft-` }));

/** The same, put right: the Job's name follows from the Database's, so that there can be only one. */
export const safeSeeder = seeder('seeder', (database) => ({ name: `${database}-seed` }));

function seeder(name: string, metaOf: (database: string) => ObjectMeta): Controller {
  return defineController<Database>({
    name,
    for: databases,
    when: generationChanged,
    reconcile: async ({ namespace, name: database }, { client, reader }) => {
      const owner = await reader.get(databases, { namespace, name: database });
      if (!owner || owner.metadata.deletionTimestamp) return;
      try {
        await client.resource(jobs).create(jobFor(owner, { ...metaOf(database), namespace }));
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    },
  });
}

function jobFor(owner: Database, metadata: ObjectMeta) {
  const containers = [{ name: 'load', image: 'example.com/first-data:1' }];
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  };
  return produce(job, (draft) => setControllerReference(owner, draft));
}
