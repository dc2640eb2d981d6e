import type { ImageDefinition } from '../../components/containerd/image-definition.ts';
import { runSnapshotController } from '../../components/external-snapshotter/common-controller/server.ts';
import { SNAPSHOT_CONTROLLER_IMAGE } from '../../components/external-snapshotter/manifests.ts';
import { METRICS_ADAPTER_IMAGE } from '../../components/metrics-adapter/manifests.ts';
import { MetricsAdapter } from '../../components/metrics-adapter/server.ts';
import { METRICS_SERVER_IMAGE } from '../../components/metrics-server/manifests.ts';
import { METRIC_RESOLUTION_MS, MetricsServer } from '../../components/metrics-server/server.ts';
import type { ApiResponse } from '../api/request.ts';
import { parseDuration } from '../api/time.ts';
import type { Actor } from '../sim/actor.ts';
import { awsCliImage } from './aws-cli-image.ts';
import type { Cluster } from './cluster.ts';
import { flag, PodProgramProcess } from './pod-program.ts';

/** Images whose programs are components of this tree: they do what they do, whichever manifest runs them. */
export function componentImages(cluster: Cluster): ImageDefinition[] {
  return [
    awsCliImage(cluster),
    {
      name: METRICS_SERVER_IMAGE,
      size: 20_000_000,
      known: true,
      shell: false,
      entrypoint: ['/metrics-server'],
      programs: ['/metrics-server'],
      user: 65534,
      cpuMilli: 4,
      memoryBytes: 24 * 2 ** 20,
      start: (context) =>
        new PodProgramProcess({
          ...{ cluster, context, port: 10250 },
          make: ({ actor, client }) => {
            const metricResolutionMs = parseDuration(flag(context.argv, 'metric-resolution') ?? '') ?? METRIC_RESOLUTION_MS;
            return new MetricsServer({ actor, client, config: { metricResolutionMs, scrape: (node) => scrape(cluster, actor, node) } });
          },
        }),
    },
    {
      name: SNAPSHOT_CONTROLLER_IMAGE,
      size: 24_000_000,
      known: true,
      shell: false,
      entrypoint: ['/snapshot-controller'],
      programs: ['/snapshot-controller'],
      start: (context) =>
        new PodProgramProcess({
          ...{ cluster, context },
          make: ({ actor, client, namespace, exit }) => {
            const election = flag(context.argv, 'leader-election') === 'true' ? { leaderElection: { namespace } } : {};
            const config = { ...election, hostname: context.hostname, exit: () => exit(1) };
            return { run: () => runSnapshotController({ actor, client, config }) };
          },
        }),
    },
    {
      name: METRICS_ADAPTER_IMAGE,
      size: 15_000_000,
      known: true,
      shell: false,
      entrypoint: ['/adapter'],
      programs: ['/adapter'],
      user: 65534,
      start: (context) =>
        new PodProgramProcess({
          ...{ cluster, context, port: 6443 },
          make: ({ actor, client }) => {
            const requestsPerSecond = (podIp: string): number => cluster.serviceNetwork.networkAt(podIp)?.requestsPerSecond ?? 0;
            return new MetricsAdapter({ actor, client, config: { requestsPerSecond } });
          },
        }),
    },
  ];
}

const SCRAPE = { isResourceRequest: false, verb: 'get', group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };

/** A request for the page `/metrics/resource` of a kubelet. */
function scrape(cluster: Cluster, actor: Actor, node: string): Promise<ApiResponse> {
  const user = { username: 'system:serviceaccount:kube-system:metrics-server', groups: [] };
  const request = { info: { ...SCRAPE, path: '/metrics/resource' }, query: {}, headers: {}, user, traced: 0 };
  return cluster.kubelets.proxy(actor, node, request);
}
