import type { Draft } from 'immer';
import type { StatefulSet } from '../../api/kinds/apps-v1.ts';
import type { Job } from '../../api/kinds/batch-v1.ts';
import type { Pod, Service } from '../../api/kinds/core-v1.ts';
import type { Database } from './database.ts';

const IMAGES = { postgresql: 'postgres', mysql: 'mysql' } as const;
/** Without a password the images do not start unless they are told so. */
const ENV = {
  postgresql: { name: 'POSTGRES_HOST_AUTH_METHOD', value: 'trust' },
  mysql: { name: 'MYSQL_ALLOW_EMPTY_PASSWORD', value: 'yes' },
} as const;
const PORTS = { postgresql: 5432, mysql: 3306 } as const;

/** Makes a Service what a Database needs: headless, for the names of its Pods. */
export function writeService(draft: Draft<Service>, { spec: { engine }, metadata }: Database): void {
  draft.spec = {
    ...draft.spec,
    clusterIP: 'None',
    selector: labelsFor(engine, metadata.name),
    ports: [{ name: 'db', protocol: 'TCP', port: PORTS[engine], targetPort: PORTS[engine] }],
  };
}

/** Makes a StatefulSet what a Database needs. */
export function writeStatefulSet(draft: Draft<StatefulSet>, database: Database): void {
  const { engine, replicas = 1 } = database.spec;
  const { name = '' } = database.metadata;
  const labels = labelsFor(engine, name);
  const before = draft.spec?.template.spec;
  draft.spec = {
    ...draft.spec,
    replicas,
    serviceName: name,
    selector: { matchLabels: labels },
    template: {
      ...draft.spec?.template,
      metadata: { labels },
      spec: { ...before, containers: [containerFor(database, before?.containers[0])] },
    },
  };
}

/** A Pod of its own: nobody makes it anew when it is gone. */
export function writePod(draft: Draft<Pod>, database: Database): void {
  draft.spec = { ...draft.spec, containers: [containerFor(database, draft.spec?.containers[0])] };
}

/** Loads the first data; whoever runs it twice loads them twice. */
export function writeJob(draft: Draft<Job>): void {
  const before = draft.spec?.template.spec;
  const container = { ...before?.containers[0], name: 'load', image: 'example.com/first-data:1' };
  draft.spec = {
    ...draft.spec,
    template: { ...draft.spec?.template, spec: { ...before, restartPolicy: 'Never', containers: [container] } },
  };
}

function containerFor({ spec: { engine, version } }: Database, before: object | undefined) {
  return { ...before, name: 'db', image: `${IMAGES[engine]}:${version}`, env: [ENV[engine]] };
}

function labelsFor(engine: string, instance = ''): Record<string, string> {
  return { 'app.kubernetes.io/name': engine, 'app.kubernetes.io/instance': instance };
}
