import type { ImageDefinition } from '../../components/containerd/image-definition.ts';
import { runSnapshotController } from '../../components/external-snapshotter/common-controller/server.ts';
import { SNAPSHOT_CONTROLLER_IMAGE } from '../../components/external-snapshotter/manifests.ts';
import { METACONTROLLER_IMAGE } from '../../components/metacontroller/manifests.ts';
import { runMetacontroller } from '../../components/metacontroller/server.ts';
import { METRICS_ADAPTER_IMAGE } from '../../components/metrics-adapter/manifests.ts';
import { MetricsAdapter } from '../../components/metrics-adapter/server.ts';
import { METRICS_SERVER_IMAGE } from '../../components/metrics-server/manifests.ts';
import { METRIC_RESOLUTION_MS, MetricsServer } from '../../components/metrics-server/server.ts';
import type { ApiResponse } from '../api/request.ts';
import { parseDuration } from '../api/time.ts';
import type { Actor } from '../sim/actor.ts';
import { awsCliImage } from './aws-cli-image.ts';
import type { Cluster } from './cluster.ts';
import { fetchFrom } from './fetch-from.ts';
import { flag, PodProgramProcess } from './pod-program.ts';

/** Images whose programs are components of this tree: they do what they do, whichever manifest runs them. */
export function componentImages(cluster: Cluster): ImageDefinition[] {
  return [awsCliImage(cluster), metricsServer(cluster), metricsAdapter(cluster), snapshotController(cluster), metacontroller(cluster)];
}

/** What is the same for all: an image with one program and no shell. */
function programImage(
  name: string,
  program: string,
  more: Partial<ImageDefinition> & Pick<ImageDefinition, 'size' | 'start'>,
): ImageDefinition {
  return { name, known: true, shell: false, entrypoint: [program], programs: [program], ...more };
}

function metricsServer(cluster: Cluster): ImageDefinition {
  return programImage(METRICS_SERVER_IMAGE, '/metrics-server', {
    ...{ size: 20_000_000, user: 65534, cpuMilli: 4, memoryBytes: 24 * 2 ** 20 },
    start: (context) =>
      new PodProgramProcess({
        ...{ cluster, context, port: 10250 },
        make: ({ actor, client }) => {
          const metricResolutionMs = parseDuration(flag(context.argv, 'metric-resolution') ?? '') ?? METRIC_RESOLUTION_MS;
          return new MetricsServer({ actor, client, config: { metricResolutionMs, scrape: (node) => scrape(cluster, actor, node) } });
        },
      }),
  });
}

function metricsAdapter(cluster: Cluster): ImageDefinition {
  return programImage(METRICS_ADAPTER_IMAGE, '/adapter', {
    ...{ size: 15_000_000, user: 65534 },
    start: (context) =>
      new PodProgramProcess({
        ...{ cluster, context, port: 6443 },
        make: ({ actor, client }) => {
          const requestsPerSecond = (podIp: string): number => cluster.serviceNetwork.networkAt(podIp)?.requestsPerSecond ?? 0;
          return new MetricsAdapter({ actor, client, config: { requestsPerSecond } });
        },
      }),
  });
}

function snapshotController(cluster: Cluster): ImageDefinition {
  return programImage(SNAPSHOT_CONTROLLER_IMAGE, '/snapshot-controller', {
    size: 24_000_000,
    start: (context) =>
      new PodProgramProcess({
        ...{ cluster, context },
        make: ({ actor, client, namespace, exit }) => {
          const election = flag(context.argv, 'leader-election') === 'true' ? { leaderElection: { namespace } } : {};
          const config = { ...election, hostname: context.hostname, exit: () => exit(1) };
          return { run: () => runSnapshotController({ actor, client, config }) };
        },
      }),
  });
}

function metacontroller(cluster: Cluster): ImageDefinition {
  return programImage(METACONTROLLER_IMAGE, '/usr/bin/metacontroller', {
    size: 26_000_000,
    start: (context) =>
      new PodProgramProcess({
        ...{ cluster, context },
        make: ({ actor, client, namespace }) => ({
          run: () => runMetacontroller({ actor, client, fetch: fetchFrom(cluster, actor, namespace) }),
        }),
      }),
  });
}

const SCRAPE = { isResourceRequest: false, verb: 'get', group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };

/** A request for the page `/metrics/resource` of a kubelet. */
function scrape(cluster: Cluster, actor: Actor, node: string): Promise<ApiResponse> {
  const user = { username: 'system:serviceaccount:kube-system:metrics-server', groups: [] };
  const request = { info: { ...SCRAPE, path: '/metrics/resource' }, query: {}, headers: {}, user, traced: 0 };
  return cluster.kubelets.proxy(actor, node, request);
}
