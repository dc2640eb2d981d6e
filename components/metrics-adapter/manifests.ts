import {
  apiservices,
  clusterrolebindings,
  clusterroles,
  deployments,
  namespaces,
  serviceaccounts,
  services,
} from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { unlessThere } from '../../src/client/install.ts';

/** The image whose program is the adapter. It comes from nowhere else. */
export const METRICS_ADAPTER_IMAGE = 'bottleship/metrics-adapter';
const PLACE = { namespace: 'custom-metrics', name: 'metrics-adapter' };
const SECURE_PORT = 6443;
const labels = { app: 'metrics-adapter' };
const ROLE = 'metrics-adapter';
const VERSIONS = [
  { group: 'custom.metrics.k8s.io', version: 'v1beta2', versionPriority: 200 },
  { group: 'custom.metrics.k8s.io', version: 'v1beta1', versionPriority: 100 },
  { group: 'external.metrics.k8s.io', version: 'v1beta1', versionPriority: 100 },
];

/** Creates its namespace, account, Deployment and Service, and the APIServices of the groups that it serves. What is there already stays. */
export async function installMetricsAdapter(client: Client): Promise<void> {
  const container = {
    name: PLACE.name,
    image: METRICS_ADAPTER_IMAGE,
    imagePullPolicy: 'IfNotPresent',
    args: [`--secure-port=${SECURE_PORT}`],
    ports: [{ containerPort: SECURE_PORT, name: 'https' }],
    readinessProbe: { httpGet: { path: '/readyz', port: 'https', scheme: 'HTTPS' }, periodSeconds: 5 },
  };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: ROLE };
  const rules = [{ apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get', 'list', 'watch'] }];
  const creations: (() => Promise<unknown>)[] = [
    () => client.resource(namespaces).create({ metadata: { name: PLACE.namespace } }),
    () => client.resource(serviceaccounts).create({ metadata: { ...PLACE } }),
    () => client.resource(clusterroles).create({ metadata: { name: ROLE }, rules }),
    () =>
      client.resource(clusterrolebindings).create({ metadata: { name: ROLE }, roleRef, subjects: [{ kind: 'ServiceAccount', ...PLACE }] }),
    () =>
      client
        .resource(services)
        .create({ metadata: { ...PLACE, labels }, spec: { selector: labels, ports: [{ name: 'https', port: 443, targetPort: 'https' }] } }),
    () =>
      client.resource(deployments).create({
        metadata: { ...PLACE, labels },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { serviceAccountName: PLACE.name, containers: [container] } },
        },
      }),
    ...VERSIONS.map(({ group, version, versionPriority }) => {
      const spec = { group, version, groupPriorityMinimum: 100, versionPriority, insecureSkipTLSVerify: true, service: PLACE };
      return () => client.resource(apiservices).create({ metadata: { name: `${version}.${group}` }, spec });
    }),
  ];
  for (const create of creations) await unlessThere(create());
}
