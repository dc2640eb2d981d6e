import type { Resource } from '../../src/api/resource.ts';
import {
  daemonsets,
  deployments as deploymentResource,
  endpointslices,
  jobs,
  pods,
  replicasets,
  statefulsets,
} from '../../src/api/resources.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import type { Fault } from '../../src/cluster/faults.ts';
import { Random } from '../../src/sim/random.ts';
import { type FailedRequest, requestRule } from '../../src/testing/request-failure.ts';
import { drawShortage, type Machine, type Shortage } from './shortages.ts';
import { jobManifest, serviceManifest, workloadManifest } from './workload-manifests.ts';

/** Something that a plan does to a cluster at a moment of virtual time. */
export type Step = { readonly at: number } & (
  | { readonly fault: Fault }
  | { readonly kubectl: readonly string[]; readonly files?: Readonly<Record<string, string>> }
  /** The next such request goes wrong. */
  | { readonly of: string; readonly failing: FailedRequest }
);

/** What happens in one run: the same for the same seed. */
export interface Plan {
  readonly seed: string;
  readonly nodes: number;
  readonly machine: Machine;
  /** What is applied at the beginning, and again when all faults are lifted: each workload with its Service. */
  readonly workloads: readonly Workload[];
  readonly steps: readonly Step[];
  /** The Deployment that is deleted in the end. */
  readonly deleted: string | undefined;
}

interface Workload {
  readonly name: string;
  readonly manifest: string;
}

/** Faults and commands come within one of these times: all at once, or into a cluster that has had its rest in between. */
const PERIODS_MS = [4_000, 20_000, 60_000];
/** Longer than a node may be silent, and than pods are tolerated on one that is. */
const LONG_MS = [60_000, 400_000];
const NODES = 3;
const REST_MS = 65_000;
const LONG_REST_MS = 1_200_000;
const DEPLOYMENTS = ['web', 'api', 'blog'];
const CONTROL_PLANE = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'coredns'];
/** Whose requests fail in ways that show. */
const WRITERS: readonly (readonly [component: string, resources: readonly Resource[]])[] = [
  [
    'kube-controller-manager',
    [pods, replicasets, deploymentResource, statefulsets, daemonsets, jobs, endpointslices] as readonly Resource[],
  ],
  ['kube-scheduler', [pods]],
  ...Array.from({ length: NODES }, (_, index) => [`kubelet/n${index + 1}`, [pods]] as const),
];
const PER_NODE = ['kubelet', 'kube-proxy', 'containerd'];

/** Draws a plan. Without `weather` nothing is slow or overloaded. */
export function planOf(seed: string, weather = true): Plan {
  const random = new Random(`plan ${seed}`);
  const periodMs = pick(random, PERIODS_MS);
  const { machine, steps: shortages } = weather ? drawShortages(new Random(`shortage ${seed}`), periodMs) : PLENTY;
  // A pod that has to run on a node that others have filled waits for ever, unless it is worth more than they are.
  const urgent = machine.pods === undefined ? {} : { priorityClass: 'system-node-critical' };
  const flaky = weather && new Random(`flaky ${seed}`).integer(3) === 0;
  const deployments = DEPLOYMENTS.slice(0, 2 + random.integer(2));
  const workloads: Workload[] = deployments.map((name) => ({
    name,
    manifest: `${workloadManifest({ kind: 'Deployment', name, replicas: 1 + random.integer(4) })}---\n${serviceManifest({ name, headless: false })}`,
  }));
  workloads.push(
    {
      name: 'db',
      manifest: `${workloadManifest({ kind: 'StatefulSet', name: 'db', replicas: 1 + random.integer(3) })}---\n${serviceManifest({ name: 'db', headless: true })}`,
    },
    { name: 'agent', manifest: workloadManifest({ kind: 'DaemonSet', name: 'agent', ...urgent }) },
    {
      name: 'report',
      manifest: jobManifest({
        name: 'report',
        completions: 1 + random.integer(3),
        ...(random.integer(2) ? { restartPolicy: 'Never' as const } : { restartPolicy: 'OnFailure' as const, flaky }),
      }),
    },
  );
  const steps = [
    ...Array.from({ length: 3 + random.integer(6) }, () => drawFault(random, periodMs)).flat(),
    ...Array.from({ length: random.integer(8) }, () => drawFailure(random, periodMs)),
    ...(weather ? drawWeather(new Random(`weather ${seed}`), periodMs) : []),
    ...(weather ? drawMachines(new Random(`machines ${seed}`), periodMs) : []),
    ...shortages,
    ...Array.from({ length: 3 + random.integer(6) }, () => drawCommand(random, { deployments, periodMs })),
  ];
  const deleted = random.integer(2) ? pick(random, deployments) : undefined;
  return {
    seed,
    nodes: NODES,
    machine,
    workloads,
    steps: steps.map((step) => withoutStuckClock(step, steps)).sort((a, b) => a.at - b.at),
    deleted,
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(list.length)] as T;
}

/** A fault and, later, its end. */
function drawFault(random: Random, periodMs: number): Step[] {
  const at = random.integer(periodMs);
  const long = random.integer(6) === 0;
  const end = at + (long ? pick(random, LONG_MS) : 20 + random.integer(random.integer(2) ? 1_000 : 20_000));
  const node = `n${1 + random.integer(NODES)}`;
  const component = pick(random, [...CONTROL_PLANE, ...PER_NODE.map((name) => `${name}/${node}`)]);
  const client = component === 'kube-apiserver' || component.startsWith('containerd') ? 'kube-controller-manager' : component;
  const from = (fault: Fault): Step => ({ at, fault });
  const until = (fault: Fault): Step => ({ at: end, fault });
  switch (random.integer(7)) {
    case 0:
      return [from({ fault: 'crash', component }), until({ fault: 'restart', component })];
    case 1:
      return [from({ fault: 'pause', component }), until({ fault: 'resume', component })];
    case 2:
      return [from({ fault: 'stop-node', node }), until({ fault: 'start-node', node })];
    case 3:
      return [from({ fault: 'partition', target: node }), until({ fault: 'heal', target: node })];
    case 4:
      return [from({ fault: 'partition', target: client }), until({ fault: 'heal', target: client })];
    case 5:
      return [
        from({ fault: 'delay-watch', component: client, ms: 1 + random.integer(5_000) }),
        until({ fault: 'delay-watch', component: client, ms: 0 }),
      ];
    default: {
      const kind = pick(random, ['Pod', 'Deployment', 'ReplicaSet', 'Service', 'EndpointSlice']);
      // Nobody gets to know what he has missed but by reading it all again: the end of this fault is a new start.
      return [
        from({ fault: 'drop-watch-event', component: client, kind }),
        until({ fault: 'crash', component: client }),
        { at: end + 1, fault: { fault: 'restart', component: client } },
      ];
    }
  }
}

/** What troubles everybody for a while, in every third plan: drawn apart, so that the rest of a plan stays what it was. */
function drawWeather(random: Random, periodMs: number): Step[] {
  if (random.integer(3)) return [];
  const at = random.integer(periodMs);
  const end = at + 500 + random.integer(20_000);
  const node = `n${1 + random.integer(NODES)}`;
  const target = pick(random, [node, 'kube-controller-manager', 'kube-scheduler']);
  const priorityLevel = pick(random, [undefined, 'workload-high', 'system', 'leader-election', 'node-high']);
  const share = 0.2 + random.integer(9) / 10;
  switch (random.integer(4)) {
    case 0:
      return [
        { at, fault: { fault: 'slow-network', target, ms: 1 + random.integer(3_000) } },
        { at: end, fault: { fault: 'slow-network', target, ms: 0 } },
      ];
    case 1:
      return [{ at, fault: { fault: 'apiserver-outage', ms: end - at } }];
    case 2:
      return [
        { at, fault: { fault: 'remove-cni-config', node } },
        { at: end, fault: { fault: 'restore-cni-config', node } },
      ];
    default:
      return [
        { at, fault: { fault: 'overload-apiserver', share: Math.min(share, 1), ...(priorityLevel ? { priorityLevel } : {}) } },
        { at: end, fault: { fault: 'overload-apiserver', share: 0 } },
      ];
  }
}

/** What happens to machines and to the world around them, in every third plan: drawn apart as well. */
function drawMachines(random: Random, periodMs: number): Step[] {
  if (random.integer(3)) return [];
  const at = random.integer(periodMs);
  const end = at + 500 + random.integer(20_000);
  const node = `n${1 + random.integer(NODES)}`;
  switch (random.integer(3)) {
    case 0:
      return [
        { at, fault: { fault: 'shutdown-node', node } },
        { at: end, fault: { fault: 'start-node', node } },
      ];
    case 1:
      return [
        { at, fault: { fault: 'registry-down', registry: pick(random, ['*', 'docker.io']) } },
        { at: end, fault: { fault: 'registry-up', registry: '*' } },
      ];
    default: {
      const ms = random.integer(3_600_000);
      return [{ at, fault: { fault: 'skew-clock', node, ms: ms % 2 ? ms : -(ms % 300_000) } }];
    }
  }
}

const PLENTY: Shortage = { machine: {}, steps: [] };

/** What leaves pods behind that have failed, in every third plan: drawn apart, too. */
function drawShortages(random: Random, periodMs: number): Shortage {
  if (random.integer(3)) return PLENTY;
  const drawn = Array.from({ length: 1 + random.integer(2) }, () => drawShortage(random, { nodes: NODES, periodMs }));
  return { machine: Object.assign({}, ...drawn.map(({ machine }) => machine)), steps: drawn.flatMap(({ steps }) => steps) };
}

/**
 * A clock is set back only where nothing starts a container again: what comes then is older than what was before it by its times, so a real kubelet, too, takes the
 * old one for the newest, and asks for ever for a name that is taken.
 */
function withoutStuckClock(step: Step, steps: readonly Step[]): Step {
  if (!('fault' in step) || step.fault.fault !== 'skew-clock' || step.fault.ms >= 0) return step;
  const { node, ms } = step.fault;
  const restarts = steps.some((other) => {
    const fault = 'fault' in other ? other.fault : undefined;
    if (fault?.fault === 'stop-node' || fault?.fault === 'shutdown-node') return fault.node === node;
    return fault?.fault === 'crash' && fault.component === `containerd/${node}`;
  });
  return restarts ? { ...step, fault: { ...step.fault, ms: -ms } } : step;
}

function drawFailure(random: Random, periodMs: number): Step {
  const [of, resources] = pick(random, WRITERS);
  const resource = pick(random, resources);
  const verb = pick(random, ['create', 'update', 'patch', 'delete', 'list', 'watch']);
  const status = pick(random, ['reset', 'reset', 429, 500, 503] as const);
  return { at: random.integer(periodMs), of, failing: { resource, verb, status, carriedOut: random.integer(2) === 0 } };
}

function drawCommand(
  random: Random,
  { deployments, periodMs }: { readonly deployments: readonly string[]; readonly periodMs: number },
): Step {
  const at = 500 + random.integer(periodMs);
  const name = pick(random, deployments);
  switch (random.integer(10)) {
    case 4:
      return {
        at,
        kubectl: [
          'delete',
          'pod',
          '-l',
          `app=${pick(random, [...deployments, 'db', 'agent'])}`,
          '--force',
          '--grace-period=0',
          '--wait=false',
        ],
      };
    case 5:
      return { at, kubectl: ['drain', `n${1 + random.integer(NODES)}`, '--ignore-daemonsets', '--force'] };
    case 6:
      return { at, kubectl: ['uncordon', `n${1 + random.integer(NODES)}`] };
    case 7:
      return { at, kubectl: ['set', 'image', 'daemonset/agent', `main=nginx:1.${25 + random.integer(3)}`] };
    case 0:
      return { at, kubectl: ['delete', 'deployment', name, '--wait=false'] };
    case 1:
      return { at, kubectl: ['scale', 'statefulset/db', `--replicas=${random.integer(4)}`] };
    case 2:
      return { at, kubectl: ['set', 'image', `deployment/${name}`, `main=nginx:1.${25 + random.integer(3)}`] };
    case 3:
      return { at, kubectl: ['delete', 'pod', '-l', `app=${pick(random, [...deployments, 'db', 'report', 'agent'])}`, '--wait=false'] };
    default:
      return { at, kubectl: ['scale', `deployment/${name}`, `--replicas=${random.integer(6)}`] };
  }
}

/** Plays the steps of a plan; then all faults are lifted, and nothing is left to do. */
export async function playSteps(cluster: Cluster, plan: Plan): Promise<void> {
  const start = cluster.simulation.now;
  cluster.startKubectl({ args: ['apply', '-f', 'all.yaml'], files: { 'all.yaml': manifestOf(plan) } }).catch(() => {});
  for (const step of plan.steps) {
    await cluster.advance(start + step.at - cluster.simulation.now);
    if ('fault' in step) cluster.fault(step.fault);
    else if ('of' in step) cluster.network.failNext(step.of, requestRule(step.failing));
    else cluster.startKubectl({ args: step.kubectl, ...(step.files ? { files: step.files } : {}) }).catch(() => {});
  }
  liftAll(cluster);
  await cluster.settle();
  for (let node = 1; node <= plan.nodes; node++) await cluster.kubectl(['uncordon', `n${node}`]);
  // What a node finds out only when it is back may be garbage one round later.
  await rest(cluster, 2 * REST_MS);
}

/** Waits until there is nothing to complain of, or until nothing more can be expected of a plan. @returns what is left to complain of */
export async function settled(cluster: Cluster, plan: Plan, complaints: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const end = cluster.simulation.now + patienceMs(plan);
  let left = await complaints();
  while (left.length > 0 && cluster.simulation.now < end) {
    await rest(cluster);
    left = await complaints();
  }
  return left;
}

/**
 * A node tells of its pressure for five minutes after, and what was refused there meanwhile is tried again later and later; so are containers while a clock is behind.
 * A request that was to fail may have been made only when its component was back, and a reflector waits up to a minute then.
 */
function patienceMs({ steps }: Plan): number {
  const isSlowToHeal = (step: Step): boolean => 'fault' in step && ['fill-disk', 'fill-pids', 'skew-clock'].includes(step.fault.fault);
  return steps.some(isSlowToHeal) ? LONG_REST_MS : steps.filter((step) => 'of' in step).length * REST_MS;
}

/** What remains of a plan when nothing goes wrong: all is applied, some of it deleted. Leaves a cluster that a person has asked for the same as any other with this plan. */
export async function finish(cluster: Cluster, plan: Pick<Plan, 'workloads' | 'deleted'>): Promise<void> {
  const { code, stderr } = await cluster.kubectl(['apply', '-f', 'all.yaml'], { 'all.yaml': manifestOf(plan) });
  if (code !== 0) throw new Error(`kubectl apply: ${stderr.join('\n')}`);
  await rest(cluster, 10_000);
  if (plan.deleted !== undefined) await cluster.kubectl(['delete', 'deployment', plan.deleted]);
  await rest(cluster);
}

const manifestOf = ({ workloads }: Pick<Plan, 'workloads'>): string => workloads.map(({ manifest }) => manifest).join('---\n');

/** What runs periodically has its turn too: what kubelets look for every minute at the slowest. */
async function rest(cluster: Cluster, ms = REST_MS): Promise<void> {
  await cluster.settle();
  await cluster.advance(ms);
  await cluster.settle();
}

function liftAll(cluster: Cluster): void {
  for (const [component, actor] of cluster.simulation.actors) {
    if (actor.state === 'paused') cluster.fault({ fault: 'resume', component });
    if (cluster.network.lag(component) === 'cut') cluster.fault({ fault: 'heal', target: component });
    if (cluster.network.watchLag(component)) cluster.fault({ fault: 'delay-watch', component, ms: 0 });
    if (actor.state === 'crashed') cluster.fault({ fault: 'restart', component });
  }
}
