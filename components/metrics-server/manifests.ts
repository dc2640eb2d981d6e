import {
  apiservices,
  clusterrolebindings,
  clusterroles,
  deployments,
  rolebindings,
  serviceaccounts,
  services,
} from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { unlessThere } from '../../src/client/install.ts';

/** The image whose program is metrics-server, whoever runs it. */
export const METRICS_SERVER_IMAGE = 'registry.k8s.io/metrics-server/metrics-server';
const VERSION = 'v0.8.0';
const PLACE = { namespace: 'kube-system', name: 'metrics-server' };
const SECURE_PORT = 10250;
const labels = { 'k8s-app': 'metrics-server' };
const subjects = [{ kind: 'ServiceAccount', ...PLACE }];
const RBAC = 'rbac.authorization.k8s.io';

const probe = (path: string): object => ({ failureThreshold: 3, httpGet: { path, port: 'https', scheme: 'HTTPS' }, periodSeconds: 10 });

const POD = {
  containers: [
    {
      name: 'metrics-server',
      image: `${METRICS_SERVER_IMAGE}:${VERSION}`,
      imagePullPolicy: 'IfNotPresent',
      args: [
        '--cert-dir=/tmp',
        `--secure-port=${SECURE_PORT}`,
        '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
        '--kubelet-use-node-status-port',
        '--metric-resolution=15s',
      ],
      ports: [{ containerPort: SECURE_PORT, name: 'https', protocol: 'TCP' }],
      livenessProbe: probe('/livez'),
      readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 20 },
      resources: { requests: { cpu: '100m', memory: '200Mi' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      volumeMounts: [{ mountPath: '/tmp', name: 'tmp-dir' }],
    },
  ],
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  priorityClassName: 'system-cluster-critical',
  serviceAccountName: PLACE.name,
  volumes: [{ emptyDir: {}, name: 'tmp-dir' }],
};

/** Creates what the manifest components.yaml of a release of metrics-server has. What is there already stays. */
export async function installMetricsServer(client: Client): Promise<void> {
  const roleOf = (name: string, kind = 'ClusterRole'): { apiGroup: string; kind: string; name: string } => ({ apiGroup: RBAC, kind, name });
  const aggregated = Object.fromEntries(['admin', 'edit', 'view'].map((role) => [`${RBAC}/aggregate-to-${role}`, 'true']));
  const spec = {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: PLACE,
  };
  const creations: (() => Promise<unknown>)[] = [
    () => client.resource(serviceaccounts).create({ metadata: { ...PLACE, labels } }),
    () =>
      client.resource(clusterroles).create({
        metadata: { name: 'system:aggregated-metrics-reader', labels: { ...labels, ...aggregated } },
        rules: [{ apiGroups: ['metrics.k8s.io'], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] }],
      }),
    () =>
      client.resource(clusterroles).create({
        metadata: { name: 'system:metrics-server', labels },
        rules: [
          { apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] },
          { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
        ],
      }),
    () =>
      client.resource(rolebindings).create({
        metadata: { namespace: PLACE.namespace, name: 'metrics-server-auth-reader', labels },
        roleRef: roleOf('extension-apiserver-authentication-reader', 'Role'),
        subjects,
      }),
    () =>
      client.resource(clusterrolebindings).create({
        metadata: { name: 'metrics-server:system:auth-delegator', labels },
        roleRef: roleOf('system:auth-delegator'),
        subjects,
      }),
    () =>
      client
        .resource(clusterrolebindings)
        .create({ metadata: { name: 'system:metrics-server', labels }, roleRef: roleOf('system:metrics-server'), subjects }),
    () =>
      client.resource(services).create({
        metadata: { ...PLACE, labels },
        spec: {
          ports: [{ appProtocol: 'https', name: 'https', port: 443, protocol: 'TCP', targetPort: 'https' }],
          selector: labels,
        },
      }),
    () =>
      client.resource(deployments).create({
        metadata: { ...PLACE, labels },
        spec: {
          selector: { matchLabels: labels },
          strategy: { rollingUpdate: { maxUnavailable: 0 } },
          template: { metadata: { labels }, spec: POD },
        },
      }),
    () => client.resource(apiservices).create({ metadata: { name: 'v1beta1.metrics.k8s.io', labels }, spec }),
  ];
  for (const create of creations) await unlessThere(create());
}
