import type { ImageDefinition } from '../../components/containerd/image-definition.ts';
import type { NodeConfig } from '../../src/cluster/config.ts';
import type { Fault } from '../../src/cluster/faults.ts';
import type { Random } from '../../src/sim/random.ts';
import type { Step } from './chaos.ts';
import { podManifest } from './workload-manifests.ts';

/** How the machines of a plan differ from others. */
export type Machine = Pick<NodeConfig, 'pods' | 'kubeletConfiguration'>;

/** What machines run short of, so that pods are evicted or refused: those stay, Failed. */
export interface Shortage {
  readonly machine: Machine;
  readonly steps: readonly Step[];
}

/** Fewer pods than there are, when a node is down: some wait, and those that are given to a node by hand are refused. */
const FEW_PODS: Machine = { pods: 10 };
const SLOW_SHUTDOWN: Machine = { kubeletConfiguration: { shutdownGracePeriod: '10s', shutdownGracePeriodCriticalPods: '2s' } };
const PID_THRESHOLD: Machine = { kubeletConfiguration: { evictionHard: { 'pid.available': '10%', 'memory.available': '100Mi' } } };
/** Takes nearly all memory of a node (16Gi). */
export const HOG: ImageDefinition = { name: 'hog', memoryBytes: 16_250 * 1024 ** 2 };

/** Draws what is short in a plan. */
export function drawShortage(random: Random, { nodes, periodMs }: { readonly nodes: number; readonly periodMs: number }): Shortage {
  const at = random.integer(periodMs);
  const end = at + 2_000 + random.integer(60_000);
  const node = `n${1 + random.integer(nodes)}`;
  const between = (from: Fault, until: Fault): Step[] => [
    { at, fault: from },
    { at: end, fault: until },
  ];
  const apply = (when: number, ...manifests: string[]): Step => {
    return { at: when, kubectl: ['apply', '-f', 'by-hand.yaml'], files: { 'by-hand.yaml': manifests.join('---\n') } };
  };
  switch (random.integer(6)) {
    case 0:
      return { machine: SLOW_SHUTDOWN, steps: between({ fault: 'shutdown-node', node }, { fault: 'start-node', node }) };
    case 1:
      return { machine: {}, steps: between({ fault: 'fill-disk', node, percent: 95 }, { fault: 'fill-disk', node, percent: 0 }) };
    case 2:
      return {
        machine: PID_THRESHOLD,
        steps: between({ fault: 'fill-pids', node, percent: 95 }, { fault: 'fill-pids', node, percent: 0 }),
      };
    case 3:
      return { machine: {}, steps: [apply(at, podManifest({ name: 'hog', node, image: 'hog:1' }))] };
    case 4: {
      const critical = podManifest({ name: 'critical', node, priorityClass: 'system-node-critical', cpu: '1' });
      const steps = [apply(at, critical), { at: end, kubectl: ['delete', 'pod', 'critical', '--wait=false'] }];
      return { machine: FEW_PODS, steps: [{ at: 0, kubectl: ['cordon', `n${1 + random.integer(nodes)}`] }, ...steps] };
    }
    default:
      return {
        machine: FEW_PODS,
        steps: [
          apply(at, podManifest({ name: 'large', node, cpu: '9' }), podManifest({ name: 'first', node, hostPort: 8080 })),
          apply(end, podManifest({ name: 'second', node, hostPort: 8080 })),
        ],
      };
  }
}
