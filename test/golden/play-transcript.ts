import { type Cluster, createCluster } from '../../src/cluster/cluster.ts';
import { splitWords } from '../../src/scenario/words.ts';
import type { StepResult, Transcript, TranscriptStep } from './transcript.mjs';

const NAMESPACE = 'demo';
const NODES = ['n1', 'n2'];
const IMAGES = ['nginx:1.27', 'nginx:1.28', 'busybox:1.36', 'redis:7', 'httpd:2.4', 'postgres:16'];
const LIMIT_MS = 600_000;
const SETTLE_MS = 500;
const ATTEMPTS = 60;

/** Plays a transcript with the kubectl inside, each command as far as it is one alone: what takes a shell is left out, and so is what runs beside others. */
export class TranscriptPlayer {
  readonly #cluster: Cluster;
  readonly #transcript: Transcript;
  readonly #vars: Record<string, unknown>;

  private constructor(cluster: Cluster, transcript: Transcript) {
    this.#cluster = cluster;
    this.#transcript = transcript;
    this.#vars = { ns: NAMESPACE, nodes: NODES, dir: '/transcript/work', server: 'https://10.96.0.1' };
  }

  static async play(transcript: Transcript): Promise<{ vars: Record<string, unknown>; results: (StepResult | undefined)[] }> {
    const cluster = await createCluster({ nodes: NODES.map((name) => ({ name, images: IMAGES })) });
    if (transcript.namespace !== false) await cluster.kubectl(['create', 'namespace', NAMESPACE]);
    if (transcript.namespace === 'context') await cluster.kubectl(['config', 'set-context', '--current', `--namespace=${NAMESPACE}`]);
    await cluster.settle();
    const player = new TranscriptPlayer(cluster, transcript);
    const results: (StepResult | undefined)[] = [];
    for (const step of transcript.steps) results.push(await player.#step(step));
    return { vars: player.#vars, results };
  }

  async #step(step: TranscriptStep): Promise<StepResult | undefined> {
    if (step.sleep !== undefined) await this.#cluster.advance(step.sleep);
    if (step.until) return void (await this.#until(step.until, step));
    if (step.cmd === undefined || step.start !== undefined) return undefined;
    const result = await this.#run(step.cmd, step.stdin);
    if (!result) return undefined;
    this.#capture(step, result.stdout);
    // A moment between commands, as there is with a real one.
    if (/^kubectl (?:apply|create)/.test(step.cmd)) await this.#cluster.advance(SETTLE_MS);
    return { ...result, stdout: asRecorded(result.stdout, step.stdout), stderr: asRecorded(result.stderr, step.stderr) };
  }

  async #until({ cmd, regex, stderr, 'stdout-contains': contains }: NonNullable<TranscriptStep['until']>, step: TranscriptStep): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const result = await this.#run(cmd);
      const text = `${result?.stdout}${stderr ? result?.stderr : ''}`;
      if (!result || (regex === undefined ? text.includes(this.#fill(contains ?? '')) : new RegExp(this.#fill(regex), 'm').test(text)))
        return this.#capture(step, result?.stdout ?? '');
      await this.#cluster.advance(1_000);
    }
  }

  async #run(cmd: string, stdin?: string): Promise<StepResult | undefined> {
    const unquoted = cmd.replace(/'[^']*'/g, '');
    if (!cmd.startsWith('kubectl ') || /[|>;&`$]|<</.test(unquoted)) return undefined;
    const words = splitWords(this.#fill(cmd))?.slice(1) ?? [];
    const files = Object.fromEntries(Object.entries(this.#transcript.files ?? {}).map(([name, text]) => [name, this.#fill(text)]));
    const args = this.#transcript.namespace === false || this.#transcript.namespace === 'context' ? words : ['-n', NAMESPACE, ...words];
    try {
      const piped = stdin === undefined ? {} : { '-': this.#fill(stdin) };
      const { code, stdout, stderr } = await this.#cluster.kubectl(args, { ...files, ...piped }, LIMIT_MS);
      const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
      return { exitCode: code, stdout: text(stdout), stderr: text(stderr) };
    } catch (error) {
      return { exitCode: 99, stdout: '', stderr: (error as Error).message };
    }
  }

  #capture({ capture = {} }: TranscriptStep, stdout: string): void {
    for (const [name, regex] of Object.entries(capture)) this.#vars[name] = new RegExp(regex, 'm').exec(stdout)?.[1] ?? '';
  }

  #fill(text: string): string {
    return text.replace(/\{([a-zA-Z]\w*)\}/g, (all, name: string) => (typeof this.#vars[name] === 'string' ? this.#vars[name] : all));
  }
}

/** The kubectl inside prints lines, the last one no less than others, and there is one folder for what `diff` compares. */
function asRecorded(text: string, recorded = ''): string {
  const placed = text.replace(/\/tmp\/(?=LIVE|MERGED)/g, '{tmp}/');
  return recorded && !recorded.endsWith('\n') ? placed.replace(/\n$/, '') : placed;
}
