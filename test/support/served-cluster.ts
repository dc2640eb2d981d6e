import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseRecording } from '../../src/scenario/recording.ts';
import { replay } from '../../src/scenario/replay.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const POLL_MS = 50;

// biome-ignore lint/suspicious/noExplicitAny: bodies of any kind
export type Body = any;

/** `bottleship serve` as its users start it, in a process and a folder of its own. */
export class ServedCluster {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly #process: ChildProcess;
  readonly #insecure: string;

  private constructor(folder: string, { process, insecure }: { process: ChildProcess; insecure: string }) {
    this.folder = folder;
    this.kubeconfig = join(folder, 'kubeconfig');
    this.#process = process;
    this.#insecure = insecure;
  }

  static async start(...options: string[]): Promise<ServedCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'bottleship-served-'));
    const files = ['--kubeconfig', join(folder, 'kubeconfig'), '--record', join(folder, 'recording.json')];
    const serve = ['serve', '--nodes', 'n1,n2', '--port', '0', '--insecure-port', '0', ...files, ...options];
    const program = ['--import', 'tsx', '--conditions=bottleship-source', 'src/cli/main.ts'];
    const child = spawn(process.execPath, [...program, ...serve], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    const insecure = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        const [, address] = /^ready .*(http:\S+)/m.exec(chunk.toString()) ?? [];
        if (address) resolve(address);
      });
      child.on('exit', (code) => reject(new Error(`serve ended with ${code}`)));
    });
    return new ServedCluster(folder, { process: child, insecure });
  }

  /** A request of the administrator. */
  async send(method: string, path: string, body?: object): Promise<{ code: number; body: Body }> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const content = body ? { headers: { 'content-type': type }, body: JSON.stringify(body) } : {};
    const response = await fetch(`${this.#insecure}${path}`, { method, ...content });
    return { code: response.status, body: (await response.json()) as Body };
  }

  /** Reads until the condition holds; fails, with what was read last, when it does not in time. */
  async until(path: string, condition: (answer: { code: number; body: Body }) => boolean, timeoutMs = 30_000): Promise<Body> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.send('GET', path);
      if (condition(answer)) return answer.body;
      if (Date.now() > end) throw new Error(`in vain: GET ${path}: ${JSON.stringify(answer)}`);
      await sleep(POLL_MS);
    }
  }

  /** Ends it, plays its recording again, and says whether it came out the same. */
  async stop(): Promise<{ code: number | null; same: boolean }> {
    const ended = new Promise<number | null>((resolve) => this.#process.on('exit', resolve));
    this.#process.kill('SIGTERM');
    const code = await ended;
    const { same } = await replay(parseRecording(readFileSync(join(this.folder, 'recording.json'), 'utf8'), 'recording.json'));
    rmSync(this.folder, { recursive: true });
    return { code, same: same === true };
  }
}
