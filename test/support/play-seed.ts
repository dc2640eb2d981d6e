import { expect } from 'vitest';
import { Cluster } from '../../src/cluster/cluster.ts';
import { finish, type Plan, planOf, playSteps, type Step, settled } from './chaos.ts';
import { jobsStuckAsUpstream, leftovers, summaryOf, unfinished, unreachable, watchWrites } from './invariants.ts';
import { HOG } from './shortages.ts';

/** Seeds after which a real cluster, too, waits for somebody: left out. */
const STUCK_AS_UPSTREAM: Readonly<Record<string, string>> = {
  263: 'a pod of a DaemonSet comes and goes while its controller cannot watch: its expectations end after five minutes, and no event comes to look at it again before the resync of 12 hours',
};

/** A cluster as a plan is played in. */
export async function clusterOf(plan: Pick<Plan, 'seed' | 'nodes' | 'machine'>, digest = false): Promise<Cluster> {
  const nodes = Array.from({ length: plan.nodes }, (_, index) => ({ name: `n${index + 1}`, ...plan.machine }));
  const cluster = new Cluster({ seed: plan.seed, nodes, images: [HOG], ties: 'shuffle', trace: 'off', history: false, digest });
  await cluster.settle();
  return cluster;
}

/**
 * The seeds to play: `BOTTLESHIP_SEEDS` says how many (`100`: the first hundred), or which (`40-60`).
 * @param share two test files share them, so that two processors have something to do
 */
export function seeds(share: 'odd' | 'even'): string[] {
  const [from = '', to] = (process.env['BOTTLESHIP_SEEDS'] ?? '60').split('-');
  const [first, last] = to ? [Number(from), Number(to)] : [1, Number(from)];
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return all.filter((seed) => seed % 2 === (share === 'odd' ? 1 : 0) && !(seed in STUCK_AS_UPSTREAM)).map(String);
}

/** Plays the plan of a seed: every write is looked at, then the end is compared with that of a run without faults. */
export async function endsAsWithoutFaults(seed: string, plan = planOf(seed)): Promise<void> {
  const cluster = await clusterOf(plan);
  const problems = watchWrites(cluster.etcd, plan.steps.some(deletesPods));
  await playSteps(cluster, plan);
  const complaints = async (): Promise<string[]> => [...leftovers(cluster), ...unfinished(cluster), ...(await unreachable(cluster))];
  expect([...problems, ...(await settled(cluster, plan, complaints))]).toEqual([]);
  await finish(cluster, plan);
  expect([...problems, ...leftovers(cluster)]).toEqual([]);
  const [found, expected] = [summaryOf(cluster), await calmSummary(plan)];
  for (const job of jobsStuckAsUpstream(cluster)) {
    delete found[job];
    delete expected[job];
  }
  expect(found).toEqual(expected);
}

const deletesPods = (step: Step): boolean => 'kubectl' in step && (step.kubectl[0] === 'drain' || step.kubectl[1] === 'pod');

const calm = new Map<string, Record<string, unknown>>();

/** What comes of a plan without faults. Workloads do not care about each other, so each is run alone, and once for all plans that have it. */
async function calmSummary({ workloads, nodes, deleted }: Plan): Promise<Record<string, unknown>> {
  const whole: Record<string, unknown> = {};
  for (const workload of workloads) {
    const isDeleted = workload.name === deleted;
    const key = `${isDeleted ? 'deleted ' : ''}${workload.manifest}`;
    const part = calm.get(key) ?? (await summaryAlone(nodes, { workloads: [workload], deleted: isDeleted ? deleted : undefined }));
    calm.set(key, part);
    Object.assign(whole, part);
  }
  return whole;
}

async function summaryAlone(nodes: number, plan: Pick<Plan, 'workloads' | 'deleted'>): Promise<Record<string, unknown>> {
  const cluster = await clusterOf({ seed: 'calm', nodes, machine: {} });
  await finish(cluster, plan);
  return summaryOf(cluster);
}
