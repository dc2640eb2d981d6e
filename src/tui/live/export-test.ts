import type { KubectlInput } from '../../cluster/cluster.ts';
import type { Fault } from '../../cluster/faults.ts';
import type { Load } from '../../cluster/load.ts';
import type { Visit } from '../../cluster/service-network.ts';
import type { InputRecord } from '../../sim/inputs.ts';
import type { TraceEntry } from '../../sim/trace.ts';
import { isNoisyWrite } from '../model/noise.ts';
import { entryAt, type RunView, type WriteEntry } from '../model/run-view.ts';
import type { LiveRun } from './live-run.ts';

const MAX_CLAIMS = 20;

/** A Vitest file that plays the same inputs against a cluster with the user's own controller, and asks for the same events in the same order of causes. */
export function exportTest({ cluster, title }: LiveRun, run: RunView): string {
  const { seed, inputs, now } = cluster.simulation;
  const config = { ...cluster.config, seed };
  const lines = [
    `import { createTestCluster, expectTrace } from 'bottleship/testing';`,
    `import { it } from 'vitest';`,
    '',
    "// Your controller: import { myController } from './my-controller.ts'; and name it in userControllers below.",
    '',
    `it(${quote(title)}, async () => {`,
    `  const cluster = await createTestCluster({ ...${print(config)}, userControllers: [] });`,
    '  /** Lets time pass until this moment of the run. */',
    '  const until = (ms: number): Promise<void> => cluster.advance(Math.max(0, ms - cluster.simulation.now));',
    ...inputs.flatMap(inputLines).map((line) => `  ${line}`),
    `  await until(${Math.ceil(now)});`,
    ...claims(run, inputs).map((line) => `  ${line}`),
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

function inputLines({ input, payload, time }: InputRecord): string[] {
  const moment = `await until(${time});`;
  switch (input) {
    case 'kubectl': {
      const { args, files } = payload as KubectlInput;
      return [moment, `await cluster.kubectl(${print(args)}${files && Object.keys(files).length ? `, ${print(files)}` : ''});`];
    }
    case 'fault':
      return [moment, `cluster.fault(${print(payload as Fault)});`];
    case 'visit': {
      const { visit } = payload as { visit: Visit };
      return [moment, `await cluster.visit(${print(visit)});`];
    }
    case 'load':
      return [moment, `cluster.load(${print(payload as Load)});`];
    default:
      return [`// ${input} at ${time} ms cannot be written as a test`];
  }
}

/** What components wrote after the first input, each kind of write once, and which led to which. */
function claims(run: RunView, inputs: readonly InputRecord[]): string[] {
  const first = inputs[0]?.time ?? 0;
  const seen = new Set<string>();
  const lines: string[] = [];
  for (const entry of run.entries) {
    if (entry.kind !== 'write' || entry.time < first || isNoisyWrite(run, entry)) continue;
    const claim = print(matcherOf(entry));
    if (seen.has(claim) || lines.length >= MAX_CLAIMS) continue;
    seen.add(claim);
    const origin = writeBehind(run, entry);
    const cause = origin && print(matcherOf(origin));
    lines.push(
      cause && cause !== claim && seen.has(cause)
        ? `expectTrace(cluster).happened(${claim}, { after: ${cause} });`
        : `expectTrace(cluster).happened(${claim});`,
    );
  }
  return lines;
}

function writeBehind(run: RunView, write: WriteEntry): WriteEntry | undefined {
  let at: TraceEntry | undefined = entryAt(run, write.cause);
  while (at && at.kind !== 'write') at = at.cause < at.seq ? entryAt(run, at.cause) : undefined;
  return at;
}

/** Generated ends of names are different in another run. */
function matcherOf({ verb, object, subresource, user }: WriteEntry): object {
  const name = object.name.replace(
    /(-[bcdfghjklmnpqrstvwxz2456789]{8,10})?-[bcdfghjklmnpqrstvwxz2456789]{5}$|-[bcdfghjklmnpqrstvwxz2456789]{8,10}$/,
    '-*',
  );
  return { verb, kind: object.kind, name, ...(subresource ? { subresource } : {}), by: user.split(':').at(-1) ?? user };
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** A value as TypeScript. */
function print(value: unknown): string {
  if (typeof value === 'string') return value.includes('\n') ? `\`${value.replace(/[\\`$]/g, '\\$&')}\`` : quote(value);
  if (Array.isArray(value)) return `[${value.map((item) => print(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  if (fields.length === 0) return '{}';
  return `{ ${fields.map(([key, inner]) => `${/^\w+$/.test(key) && !/^\d/.test(key) ? key : quote(key)}: ${print(inner)}`).join(', ')} }`;
}
