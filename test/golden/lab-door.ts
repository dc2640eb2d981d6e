import { addScheduler } from '../../src/cluster/components.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import type { KubeSchedulerConfiguration } from '../../components/kube-scheduler/apis/config/kube-scheduler-configuration.ts';

/** The configuration of the second scheduler of the recordings (default plugins except what is said). */
const CUSTOM_SCHEDULER: KubeSchedulerConfiguration = {
  leaderElection: { leaderElect: false },
  profiles: [
    { schedulerName: 'custom-scheduler' },
    {
      schedulerName: 'packing-scheduler',
      pluginConfig: [
        { name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } } },
      ],
      plugins: {
        score: {
          disabled: [{ name: 'NodeResourcesBalancedAllocation' }, { name: 'ImageLocality' }],
          enabled: [{ name: 'NodeResourcesFit', weight: 5 }],
        },
      },
    },
    { schedulerName: 'careless-scheduler', plugins: { filter: { disabled: [{ name: 'TaintToleration' }] } } },
    {
      schedulerName: 'blind-scheduler',
      plugins: { multiPoint: { disabled: [{ name: 'NodeResourcesFit' }, { name: 'NodeResourcesBalancedAllocation' }] } },
    },
  ],
};

type Visit = (cluster: Cluster) => void;

/** What the programs around the recorded cluster do when a case asks for it, by path. */
const DOORS: Readonly<Record<string, Visit>> = {
  '/lab/scheduler/start': (cluster) => {
    const { simulation } = cluster;
    const running = simulation.actors.get('custom-scheduler');
    if (running) return running.start();
    addScheduler(cluster, { name: 'custom-scheduler', config: CUSTOM_SCHEDULER });
  },
  '/lab/scheduler/stop': ({ simulation }) => simulation.actors.get('custom-scheduler')?.crash(),
};

/** Answers a request to a program around the cluster; undefined when it is one to the API server. */
export function answerLabDoor(cluster: Cluster, url: string): Response | undefined {
  const path = url.split('?')[0] ?? '';
  if (!path.startsWith('/lab/')) return undefined;
  const visit = DOORS[path];
  if (!visit) return Response.json({ ok: false, error: `nobody answers at ${path}` }, { status: 500 });
  visit(cluster);
  return Response.json({ ok: true });
}
