import type { CreateClusterOptions } from '../cluster/config.ts';
import { createTestCluster, type TestCluster } from './test-cluster.ts';

/** Which seeds, and on which cluster. */
export interface SeedsOptions {
  /** How many. 20 if absent. */
  readonly seeds?: number;
  readonly cluster?: CreateClusterOptions;
}

/**
 * Runs a test once for each of many seeds; the seed permutes what happens at the same moment, so that races show. A failure names the seed that reproduces it.
 * @example await forEachSeed({ seeds: 50, cluster: { userControllers: [website] } }, async (cluster) => { … });
 */
export async function forEachSeed(options: SeedsOptions, test: (cluster: TestCluster) => Promise<void>): Promise<void> {
  for (let seed = 1; seed <= (options.seeds ?? 20); seed++) {
    await naming(`seed "${seed}"`, async () => test(await createTestCluster({ ties: 'shuffle', ...options.cluster, seed: String(seed) })));
  }
}

/** What to do to which cluster, who crashes, and what must hold in the end. */
export interface CrashOptions {
  readonly cluster: CreateClusterOptions;
  /** The name of the controller that crashes, one of `cluster.userControllers`. */
  readonly controller: string;
  /** How long it stays down, in virtual milliseconds. 1,000 if absent. */
  readonly restartAfterMs?: number;
  /** What is done to the cluster. It is settled afterwards. */
  readonly act: (cluster: TestCluster) => Promise<void>;
  /** What must hold in the end, wherever the controller crashed. */
  readonly check: (cluster: TestCluster) => Promise<void>;
}

/**
 * Runs the same test again and again, and crashes the controller right after its first write, then after its second, and so on, before it hears the answer.
 * A controller that keeps its state in the API ends in the same place each time. Returns how many writes there were.
 */
export async function crashAfterEachWrite(options: CrashOptions): Promise<number> {
  const writes = await runWithCrash(options, 0);
  for (let crashAt = 1; crashAt <= writes; crashAt++) {
    await naming(`crash of ${options.controller} after its write ${crashAt} of ${writes}`, () => runWithCrash(options, crashAt));
  }
  return writes;
}

/** @param crashAt which write is the last one; 0 for no crash */
async function runWithCrash(options: CrashOptions, crashAt: number): Promise<number> {
  const { controller, restartAfterMs = 1_000 } = options;
  const cluster = await createTestCluster(options.cluster);
  const actor = cluster.simulation.actors.get(`controller/${controller}`);
  let writes = 0;
  cluster.simulation.trace.listen((entry) => {
    if (entry.kind !== 'write' || !entry.user.endsWith(`:${controller}`)) return;
    writes++;
    if (writes !== crashAt) return;
    actor?.crash();
    actor?.start(restartAfterMs);
  });
  await options.act(cluster);
  await cluster.settle();
  await options.check(cluster);
  return writes;
}

async function naming<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error) error.message = `${what}: ${error.message}`;
    throw error;
  }
}
