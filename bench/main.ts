// npm run bench [-- WORKLOAD...]: measures bottleship and its nearest peer in the same run and prints ratios. Each workload runs in a process of its own, and both read
// what V8 made of their source from Node's compile cache, as every start after the first does.
//
//   startup    time of `--help`, import of the library
//   replicas   3, 100 and 1,000 replicas to Ready, beside @ngrok/webernetes
//   addons     a cluster with everything installed that comes along
//   writes     writes per second of one client
//   scheduler  pods scheduled per second on 5,000 nodes: the choice alone, and the whole way through the API
//   http       lists of 10,000 Pods, 1,000 watches, 100 writers over HTTP
//   scale      50,000 pods on 2,000 nodes to Ready, and what a minute costs in which nothing happens
//   flat       cost per pod at 100, 1,000 and 10,000 replicas
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

interface Measured {
  readonly bootMs: number;
  readonly readyMs: number;
  readonly ready: number;
  readonly writesPerSecond?: number;
  readonly podsPerSecond?: number;
  readonly podsPerCpuSecond?: number;
  readonly peakMb: number;
  readonly idleMs?: number;
}

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bottleship-bench-'));
process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache');
const PEER_LIMIT_MS = 120_000;
const RUNS = 3;
const IDLE_MS = 60_000;
/** What a run with many nodes may take: the flag of the process. */
const HEAP = '--max-old-space-size=4096';

/** A program of this folder in one file, loaded as the package loads itself. */
const bundle = async (name: string): Promise<string> => {
  await build({
    entryPoints: { [name]: join(here, name), 'compile-cache': join(here, '../src/cli/compile-cache.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['bottleship-source'],
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const main = join(folder, `${name}.main.mjs`);
  const lines = [
    `import { compileAhead } from './compile-cache.mjs';`,
    'const done = compileAhead();',
    `await import('./${name}.mjs').finally(done);`,
  ];
  writeFileSync(main, lines.join('\n'));
  return main;
};

interface MeasuredOverHttp {
  readonly json: { readonly ms: number; readonly megabytes: number };
  readonly gzip: { readonly ms: number; readonly megabytes: number };
  readonly protobuf: { readonly ms: number; readonly megabytes: number };
  readonly writes: { readonly perSecond: number; readonly lost: number };
  readonly hearMs: number;
  readonly events: number;
}

const run = <T = Measured>(file: string, args: readonly (string | number)[], ...flags: readonly string[]): T =>
  JSON.parse(
    execFileSync(process.execPath, [...flags, file, ...args.map(String)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
      .trim()
      .split('\n')
      .at(-1) ?? '',
  ) as T;

/** The run with the median time to Ready, from the start of the cluster. */
const median = (file: string, args: readonly (string | number)[]): Measured =>
  Array.from({ length: RUNS }, () => run(file, args)).sort((a, b) => a.bootMs + a.readyMs - b.bootMs - b.readyMs)[RUNS >> 1] as Measured;

/** Without the compile cache, as where Node has none: the median of several runs. */
function withoutCache(file: string, args: readonly (string | number)[]): Measured {
  process.env.NODE_DISABLE_COMPILE_CACHE = '1';
  try {
    return median(file, args);
  } finally {
    delete process.env.NODE_DISABLE_COMPILE_CACHE;
  }
}

/** Milliseconds that a command takes: the first time, and the median of five more. */
const wall = (command: string, args: readonly string[]): { first: number; later: number } => {
  const [first = 0, ...more] = Array.from({ length: 6 }, () => {
    const start = performance.now();
    execFileSync(command, args, { stdio: 'ignore' });
    return performance.now() - start;
  });
  return { first, later: more.sort((a, b) => a - b)[2] as number };
};

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
/** How a ratio of times reads. */
const compared = (ratio: number): string => (ratio >= 1 ? `${ratio.toFixed(1)} times faster` : `${(1 / ratio).toFixed(1)} times slower`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const WORKLOADS: Readonly<Record<string, () => Promise<void>>> = {
  async startup() {
    const root = join(here, '..');
    const { later: empty } = wall(process.execPath, ['-e', '']);
    const { later: help } = wall(process.execPath, [join(root, 'dist/src/cli/main.js'), '--help']);
    const { first, later } = wall(process.execPath, ['-e', `await import(${JSON.stringify(join(root, 'dist/src/index.node.js'))})`]);
    print(`bottleship --help            ${ms(help)} (an empty node process: ${ms(empty)})`);
    print(`import of the library        ${ms(later - empty)} (the first time on a machine ${ms(first - empty)})`);
  },
  async replicas() {
    const [ours, peer] = [await bundle('ours.ts'), await bundle('peer.mjs')];
    for (const program of [ours, peer]) run(program, [0, 3]);
    print(`boot without compile cache   ${ms(withoutCache(ours, [0, 3]).bootMs)}`);
    for (const replicas of [0, 3, 100, 1_000]) {
      const mine = median(ours, [replicas, 3]);
      const theirs = run(peer, [replicas, PEER_LIMIT_MS]);
      const label = replicas ? `${replicas} replicas Ready` : 'boot of 3 nodes';
      const [a, b] = replicas ? [mine.readyMs, theirs.readyMs] : [mine.bootMs, theirs.bootMs];
      const reached = replicas && theirs.ready < replicas ? ` (only ${theirs.ready} became ready within ${PEER_LIMIT_MS / 1000} s)` : '';
      print(
        `${label.padEnd(28)} ${ms(a)}, peer ${ms(b)}${reached}: ${compared(b / a)}; peak ${Math.round(mine.peakMb)} MB, peer ${Math.round(theirs.peakMb)} MB`,
      );
    }
  },
  async addons() {
    const addons = await bundle('addons.ts');
    for (const [label, ...args] of [['all addons'], ['all addons and EKS', 'eks']]) {
      run(addons, args);
      const { bootMs, idleMs = 0 } = median(addons, args);
      const plain = withoutCache(addons, args).bootMs;
      print(`${`boot with ${label}`.padEnd(28)} ${ms(bootMs)} (${ms(plain)} without compile cache); an idle minute ${ms(idleMs)}`);
    }
  },
  async writes() {
    const measured = median(await bundle('ours.ts'), [0, 1, 50_000]);
    print(
      `writes of one client         ${Math.round(measured.writesPerSecond ?? 0)} per second (${(1e6 / (measured.writesPerSecond ?? 1)).toFixed(0)} us each, through the whole pipeline)`,
    );
  },
  async scheduler() {
    const scheduler = await bundle('scheduler.ts');
    for (const kind of ['plain', 'spread', 'affinity', 'anti-affinity']) {
      for (const what of ['choice', 'pipeline']) {
        const [few, many] = [1_000, 5_000].map((nodes) => run(scheduler, [nodes, nodes * 2, kind, what]));
        const perSecond = (measured: Measured | undefined): string =>
          `${Math.round(measured?.podsPerSecond ?? 0)} a second (${Math.round(measured?.podsPerCpuSecond ?? 0)} a second of processor time)`;
        print(`${`${kind}, ${what}`.padEnd(28)} 5,000 nodes: ${perSecond(many)}; 1,000 nodes: ${perSecond(few)}`);
      }
    }
  },
  async http() {
    const { json, gzip, protobuf, writes, hearMs, events } = run<MeasuredOverHttp>(await bundle('http.ts'), []);
    for (const [name, { ms: time, megabytes }] of Object.entries({ json, gzip, protobuf }))
      print(`list of 10,000 Pods, ${name.padEnd(8)} ${ms(time)} (${megabytes.toFixed(1)} MB)`);
    print(`writes of 100 clients        ${Math.round(writes.perSecond)} per second, ${writes.lost} lost`);
    print(`events to 1,000 watches      ${Math.round(events / (hearMs / 1000))} per second`);
  },
  async scale() {
    const ours = await bundle('ours.ts');
    const [few, many] = [run(ours, [0, 2_000, 0, IDLE_MS], HEAP), run(ours, [50_000, 2_000, 0, IDLE_MS], HEAP)];
    print(
      `50,000 pods on 2,000 nodes   ${ms(many.readyMs)} (${many.ready} Ready), peak ${Math.round(many.peakMb)} MB; boot ${ms(many.bootMs)}`,
    );
    print(`an idle minute of them       ${ms(many.idleMs ?? 0)}; of 2,000 nodes without pods ${ms(few.idleMs ?? 0)}`);
  },
  async flat() {
    const ours = await bundle('ours.ts');
    const costs = [100, 1_000, 10_000].map((replicas) => ({ replicas, cost: median(ours, [replicas, 100]).readyMs / replicas }));
    const base = costs[0]?.cost ?? 1;
    for (const { replicas, cost } of costs)
      print(`cost per pod at ${String(replicas).padEnd(12)} ${cost.toFixed(3)} ms (${(cost / base).toFixed(2)} times that at 100)`);
  },
};

const wanted = process.argv.slice(2);
for (const name of wanted.length ? wanted : Object.keys(WORKLOADS)) {
  const workload = WORKLOADS[name];
  if (!workload) throw new Error(`there is no workload ${name}; there are ${Object.keys(WORKLOADS).join(', ')}`);
  await workload();
}
