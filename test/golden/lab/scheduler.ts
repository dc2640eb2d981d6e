import { addScheduler } from '../../../src/cluster/components.ts';
import type { KubeSchedulerConfiguration } from '../../../components/kube-scheduler/apis/config/kube-scheduler-configuration.ts';
import type { LabSystem } from './system.ts';

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

export const SCHEDULER_LAB: LabSystem = {
  routes: {
    '/lab/scheduler/start': ({ cluster }) => {
      const running = cluster.simulation.actors.get('custom-scheduler');
      if (running) running.start();
      else addScheduler(cluster, { name: 'custom-scheduler', config: CUSTOM_SCHEDULER });
    },
    '/lab/scheduler/stop': ({ cluster }) => cluster.simulation.actors.get('custom-scheduler')?.crash(),
  },
};
