import { Cluster } from '../../src/cluster/cluster.ts';
import type { CreateClusterOptions } from '../../src/cluster/config.ts';
import type { HttpInput } from '../../src/cluster/http-entrance.ts';
import { compareCase, type GoldenCase, normalize, runCase } from './compare.mjs';
import { answerLabDoor, labClusterFor, prepareLab } from './lab/door.ts';
import { MetricsApi } from './metrics-api.ts';
import { WebhookServer } from './webhook-server.ts';

/** The recorded cluster: two nodes with images that were there already. */
const RECORDED_CLUSTER: CreateClusterOptions = {
  seed: '1',
  nodes: ['n1', 'n2'].map((name) => ({ name, images: ['nginx:1.26', 'nginx:1.27', 'nginx:1.28', 'busybox:1.36'] })),
  trace: { tail: 2_000 },
  stages: false,
  history: false,
};

/** The recorded cluster's audit policy logged writes only. */
const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Wall-clock bound for one case: a case that hangs is a failure of its own. */
const MAX_EVENTS = 2_000_000;

export interface PlayedCase {
  /** Differences from the recording; empty when equal. */
  readonly problems: string[];
  readonly answers: unknown;
}

interface PlayOptions {
  readonly relaxed?: boolean;
  readonly log?: (line: string) => void;
  readonly cluster?: CreateClusterOptions;
  /** A case to play before in the same cluster. */
  readonly after?: GoldenCase;
}

/**
 * Plays a recorded case against a cluster of its own, in process and in virtual time.
 * @throws what the case or the cluster throws
 */
export async function playCase(testCase: GoldenCase, options: PlayOptions = {}): Promise<PlayedCase> {
  const audit: unknown[] = [];
  const webhooks = new WebhookServer(testCase);
  const metrics = needsMetricsApi(testCase) ? new MetricsApi() : undefined;
  const cluster = new Cluster({ ...RECORDED_CLUSTER, ...clusterFor(testCase), outbound: (request) => (metrics ?? webhooks).answer(request), ...labClusterFor(testCase), ...options.cluster, audit: (event) => void (WRITES.has((event as { verb: string }).verb) && audit.push(event)) });
  await cluster.settle();
  await prepareLab(cluster, testCase);
  await metrics?.install(cluster);
  const outside = sleeperOf(cluster, 'golden');
  webhooks.sleep = outside;
  const names = cluster.simulation.random.fork('golden');
  if (options.after) await play({ cluster, testCase: options.after, audit, sleep: outside, namespace: `case-${names.name(6)}` });
  const namespace = `case-${names.name(6)}`;
  return play({ cluster, testCase, audit, sleep: outside, namespace, relaxed: options.relaxed ?? false, ...(options.log ? { log: options.log } : {}) });
}

/** Plays cases that leave nothing behind, one after another, against one cluster. */
export async function* playCases(cases: Iterable<GoldenCase>): AsyncGenerator<PlayedCase & { readonly testCase: GoldenCase }> {
  const cluster = new Cluster(RECORDED_CLUSTER);
  await cluster.settle();
  const sleep = sleeperOf(cluster, 'golden');
  let number = 0;
  for (const testCase of cases) yield { testCase, ...(await play({ cluster, testCase, audit: [], sleep, namespace: `case-${++number}` })) };
}

/** Sleeps in the time of the cluster, as somebody outside. */
function sleeperOf({ simulation }: Cluster, name: string): (ms: number) => Promise<void> {
  const outside = simulation.actor(name, () => {});
  outside.start();
  return (ms) => outside.sleep(ms);
}

interface Play {
  readonly cluster: Cluster;
  readonly testCase: GoldenCase;
  readonly audit: readonly unknown[];
  readonly sleep: (ms: number) => Promise<void>;
  readonly namespace: string;
  readonly relaxed?: boolean;
  readonly log?: (line: string) => void;
}

async function play({ cluster, testCase, audit, sleep, namespace, relaxed = false, log }: Play): Promise<PlayedCase> {
  const { simulation } = cluster;
  /** Requests wait here for the moment between two events at which they may enter. */
  const entering: (() => void)[] = [];
  let ended = false;
  const run = runCase(testCase, {
    fetch: (url, init) => new Promise((resolve, reject) => void entering.push(() => enter(cluster, url, init).then(resolve, reject))),
    server: '',
    clock: { now: () => simulation.now, wallTime: () => simulation.wallTime, sleep },
    audit: { mark: () => audit.length, since: (mark) => JSON.parse(JSON.stringify(audit.slice(mark))) as unknown[] },
    namespace,
    ...(log ? { log } : {}),
  }).finally(() => {
    ended = true;
  });
  run.catch(() => {});
  for (let steps = 0; !ended && steps < MAX_EVENTS; steps++) {
    await hostTurn();
    for (const enter of entering.splice(0)) enter();
    if (ended || (await simulation.step())) continue;
    throw new Error('nothing is left to do, and the case still waits');
  }
  const answers = normalize(await run, testCase);
  return { problems: compareCase(testCase, answers, { relaxed }), answers };
}

/** Programs around the cluster answer for themselves; everything else is for the API server. */
function enter(cluster: Cluster, url: string, init: RequestInit | undefined): Promise<Response> {
  return answerLabDoor(cluster, url, init) ?? cluster.startHttp(httpInput(url, init));
}

/** Cases say what their cluster was besides. */
function clusterFor({ needs }: GoldenCase): CreateClusterOptions {
  return needs === 'no other ready node' ? { nodes: [] } : {};
}

function needsMetricsApi({ needs = '' }: GoldenCase): boolean {
  return needs.startsWith('a metrics API in which every pod uses what the annotation');
}

/** Lets what waits for an answer go on: bodies are read, streams delivered. */
function hostTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function httpInput(url: string, init: RequestInit = {}): HttpInput {
  const { method = 'GET', headers = {}, body } = init;
  // Who recorded called itself so.
  return { method, url, headers: { 'user-agent': 'node', ...(headers as Record<string, string>) }, ...(typeof body === 'string' ? { body } : {}) };
}
