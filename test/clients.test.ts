// Goal: operators in other languages, on the client libraries that everybody uses, work against `bottleship serve` as they are, and what they did replays offline. Method: the
// same operator in three languages (examples/operators) goes through one scenario: create, drift, crash, delete; a program on bare client-go says what it saw. What must be built
// or downloaded runs when BOTTLESHIP_CLIENTS names it: `go,python`, or `all`.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { parse } from 'yaml';
import { type ClientProgram, goProgram, pythonOperator, typescriptOperator } from './support/client-programs.ts';
import { type Body, ServedCluster } from './support/served-cluster.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const wanted = (process.env['BOTTLESHIP_CLIENTS'] ?? '').split(',');
const unwanted = (language: string): boolean => !wanted.includes(language) && !wanted.includes('all');
const TEST_MS = 600_000;

const DEFINITION = parse(readFileSync(join(root, 'examples/operators/databases.yaml'), 'utf8')) as object;
const DATABASES = '/apis/example.com/v1/namespaces/default/databases';
const SERVICES = '/api/v1/namespaces/default/services';
const SETS = '/apis/apps/v1/namespaces/default/statefulsets';

const database = (name: string): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Database',
  metadata: { name },
  spec: { engine: 'postgresql', version: '16', storageSize: '10Gi', replicas: 2 },
});

/** A running operator. */
class Operator {
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | null>;
  #said = '';

  constructor({ command: [file, ...args] }: { command: readonly [string, ...string[]] }, env: Record<string, string>) {
    this.#process = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = new Promise((resolve) => this.#process.on('exit', resolve));
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#said += chunk.toString();
      });
  }

  /** Its exit code; null when it was killed. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** What it wrote. */
  get said(): string {
    return this.#said;
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }
}

const isReady = ({ body }: { body: Body }): boolean => body.status?.phase === 'Ready' && body.status.readyReplicas === 2;

/** What the Database, its Service and its StatefulSet must be in the end. */
async function assertRuns(cluster: ServedCluster, name: string): Promise<void> {
  const { metadata, spec, status } = await cluster.until(`${DATABASES}/${name}`, isReady);
  expect(metadata.finalizers).toEqual(['example.com/finalizer']);
  expect(metadata.generation).toBe(1);
  expect(metadata.annotations).toBeUndefined();
  expect(spec).toEqual((database(name) as Body).spec);
  const condition = { type: 'Ready', status: 'True', reason: 'AllReplicasReady', message: '2 replicas are ready', observedGeneration: 1 };
  expect(status).toEqual({
    conditions: [{ ...condition, lastTransitionTime: expect.stringMatching(/^\d{4}-.*\dZ$/) }],
    endpoint: `${name}.default.svc:5432`,
    observedGeneration: 1,
    phase: 'Ready',
    readyReplicas: 2,
  });
  const owner = { apiVersion: 'example.com/v1', kind: 'Database', name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
  const labels = { 'app.kubernetes.io/name': 'database', 'app.kubernetes.io/instance': name };
  const { body: service } = await cluster.send('GET', `${SERVICES}/${name}`);
  expect(service.metadata).toMatchObject({ labels, ownerReferences: [owner] });
  expect(service.spec).toMatchObject({
    clusterIP: 'None',
    selector: labels,
    ports: [{ name: 'db', protocol: 'TCP', port: 5432, targetPort: 5432 }],
  });
  const { body: set } = await cluster.send('GET', `${SETS}/${name}`);
  expect(set.metadata).toMatchObject({ labels, ownerReferences: [owner] });
  expect(set.spec).toMatchObject({ replicas: 2, serviceName: name, selector: { matchLabels: labels } });
  expect(set.spec.template.spec.containers).toMatchObject([{ name: 'db', image: 'postgres:16' }]);
}

const gone = ({ code }: { code: number }): boolean => code === 404;

/** Create, drift, crash, delete. */
async function runScenario(cluster: ServedCluster, start: (crashAt?: string) => Operator): Promise<void> {
  await cluster.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
  await cluster.until(DATABASES, ({ code }) => code === 200);
  const operator = start();
  await cluster.send('POST', DATABASES, database('orders'));
  await assertRuns(cluster, 'orders');

  await cluster.send('PATCH', `${SETS}/orders`, { spec: { replicas: 0 } });
  await cluster.until(`${SETS}/orders`, ({ body }) => body.spec.replicas === 2 && body.metadata.generation === 3);
  const { body: service } = await cluster.send('GET', `${SERVICES}/orders`);
  await cluster.send('DELETE', `${SERVICES}/orders`);
  await cluster.until(`${SERVICES}/orders`, ({ code, body }) => code === 200 && body.metadata.uid !== service.metadata.uid);
  await assertRuns(cluster, 'orders');

  await operator.kill();
  const unlucky = start('service-created');
  await cluster.send('POST', DATABASES, database('users'));
  expect(await unlucky.ended()).toBe(1);
  expect((await cluster.send('GET', `${SERVICES}/users`)).code).toBe(200);
  expect((await cluster.send('GET', `${SETS}/users`)).code).toBe(404);
  const next = start();
  await assertRuns(cluster, 'users');
  await assertRuns(cluster, 'orders');

  for (const name of ['orders', 'users']) await cluster.send('DELETE', `${DATABASES}/${name}`);
  for (const name of ['orders', 'users'])
    for (const path of [DATABASES, SERVICES, SETS, '/api/v1/namespaces/default/pods'])
      await cluster.until(path.endsWith('pods') ? `${path}/${name}-0` : `${path}/${name}`, gone);
  const { body: events } = await cluster.send('GET', '/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind=Database');
  const told = new Set(events.items.map(({ source, type, reason }: Body) => `${source.component} ${type} ${reason}`));
  for (const reason of ['ServiceCreated', 'StatefulSetCreated', 'StatefulSetUpdated', 'Ready', 'Finalizing'])
    expect([...told]).toContain(`database-operator Normal ${reason}`);
  await next.kill();
}

/** Starts a cluster for a program, runs it, and plays the recording. */
async function withCluster(
  context: TestContext,
  program: ClientProgram,
  run: (cluster: ServedCluster, start: (env?: Record<string, string>) => Operator) => Promise<void>,
): Promise<void> {
  if ('missing' in program) return context.skip(program.missing);
  const cluster = await ServedCluster.start('--speed', '20');
  const started: Operator[] = [];
  const start = (env: Record<string, string> = {}): Operator => {
    const operator = new Operator(program, { KUBECONFIG: cluster.kubeconfig, ...env });
    started.push(operator);
    return operator;
  };
  try {
    await run(cluster, start);
  } catch (error) {
    process.stderr.write(started.map(({ said }) => said.slice(-3_000)).join('\n---\n'));
    throw error;
  } finally {
    for (const operator of started) await operator.kill();
    expect(await cluster.stop()).toEqual({ code: 0, same: true });
  }
}

describe.each([
  ['typescript', typescriptOperator, false],
  ['python', pythonOperator, unwanted('python')],
  ['go', () => goProgram('operator'), unwanted('go')],
] as const)('the operator in %s', (_language, programOf, skipped) => {
  it.skipIf(skipped)(
    'creates, puts drift right, survives a crash, and cleans up (set BOTTLESHIP_CLIENTS=all for all)',
    { timeout: TEST_MS },
    async (context) => {
      await withCluster(context, await programOf(), (cluster, start) =>
        runScenario(cluster, (crashAt) => start(crashAt ? { CRASH_AT: crashAt } : {})),
      );
    },
  );
});

it.skipIf(unwanted('go'))(
  'client-go leads, follows, applies, scales and lists (set BOTTLESHIP_CLIENTS=all)',
  { timeout: TEST_MS },
  async (context) => {
    await withCluster(context, await goProgram('follow'), async (_, start) => {
      const program = start();
      expect(await program.ended()).toBe(0);
      const lines = program.said.split('\n').filter((line) => /^(leads|seen|listed)/.test(line));
      expect(lines).toEqual([
        'leads: follower',
        'seen: Ready',
        'seen: 3 Ready',
        'listed in pages: 3',
        'listed as metadata: 3',
        'seen: gone',
        'leads no more',
      ]);
    });
  },
);
