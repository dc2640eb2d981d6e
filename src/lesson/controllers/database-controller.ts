import type { StatefulSet } from '../../api/kinds/apps-v1.ts';
import { services, statefulsets } from '../../api/resources.ts';
import { setControllerReference } from '../../client/controller-reference.ts';
import { defineController } from '../../client/controller-runtime.ts';
import { createOrUpdate } from '../../client/create-or-update.ts';
import { type Database, databases } from './database.ts';

const IMAGES = { postgresql: 'postgres', mysql: 'mysql' } as const;
/** Without a password the images do not start unless they are told so. */
const ENV = {
  postgresql: { name: 'POSTGRES_HOST_AUTH_METHOD', value: 'trust' },
  mysql: { name: 'MYSQL_ALLOW_EMPTY_PASSWORD', value: 'yes' },
} as const;
const PORTS = { postgresql: 5432, mysql: 3306 } as const;

/** The custom controller of the lessons: a headless Service and a StatefulSet for each Database, and its status. */
export const databaseController = defineController<Database>({
  name: 'database',
  for: databases,
  owns: [statefulsets, services],
  reconcile: async (request, { client, reader, recorder }) => {
    const database = await reader.get(databases, request);
    if (!database || database.metadata.deletionTimestamp) return;
    const { engine, version, replicas = 1 } = database.spec;
    const labels = { 'app.kubernetes.io/name': engine, 'app.kubernetes.io/instance': request.name };
    const wanted = { metadata: { ...request } };

    await createOrUpdate({ client, resource: services, wanted }, (draft) => {
      draft.spec = {
        ...draft.spec,
        clusterIP: 'None',
        selector: labels,
        ports: [{ name: 'db', protocol: 'TCP', port: PORTS[engine], targetPort: PORTS[engine] }],
      };
      setControllerReference(database, draft);
    });
    const { object: set, result } = await createOrUpdate({ client, resource: statefulsets, wanted }, (draft) => {
      const before = draft.spec?.template.spec;
      const container = { ...before?.containers[0], name: 'db', image: `${IMAGES[engine]}:${version}`, env: [ENV[engine]] };
      draft.spec = {
        ...draft.spec,
        replicas,
        serviceName: request.name,
        selector: { matchLabels: labels },
        template: { ...draft.spec?.template, metadata: { labels }, spec: { ...before, containers: [container] } },
      };
      setControllerReference(database, draft);
    });
    if (result === 'created') recorder.event(database, 'Normal', 'Created', `Created StatefulSet ${request.name}`);

    const status = statusOf(database, set, replicas);
    if (JSON.stringify(status) === JSON.stringify(database.status)) return;
    await client.resource(databases).patch(request, { status }, { type: 'merge', subresource: 'status' });
  },
});

function statusOf({ metadata }: Database, { status }: StatefulSet, wanted: number): NonNullable<Database['status']> {
  const readyReplicas = status?.readyReplicas ?? 0;
  return { phase: readyReplicas < wanted ? 'Creating' : 'Running', readyReplicas, observedGeneration: metadata.generation ?? 0 };
}
