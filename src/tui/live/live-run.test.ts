import { afterEach, describe, expect, test } from 'vitest';
import type { Action } from '../app/action.ts';
import { initialState, type UiState } from '../app/ui-state.ts';
import { Workbench } from '../app/workbench.ts';
import { liveWeb } from '../fixtures/live-web.ts';
import { LineShell } from '../line/line-shell.ts';

/** A workbench with a person at it. */
class Desk {
  readonly bench: Workbench;
  readonly written = new Map<string, string>();
  state: UiState;

  constructor(live: Awaited<ReturnType<typeof liveWeb>>, files: Readonly<Record<string, string>> = {}) {
    this.bench = new Workbench({
      run: live.view,
      live,
      title: live.title,
      files: { read: (path) => files[path], write: (path, text) => void this.written.set(path, text) },
    });
    this.state = initialState({ cursor: this.bench.session.timeline.last, theme: 'mono' });
  }

  async act(action: Action): Promise<void> {
    await this.bench.act(action, this.state, (update) => {
      this.state = update(this.state);
    });
  }

  get console(): string[] {
    return this.state.console.map(({ kind, text }) => (kind === 'prompt' ? `$ ${text}` : text));
  }
}

let desk: Desk | undefined;

afterEach(() => {
  desk = undefined;
});

async function open(files?: Readonly<Record<string, string>>): Promise<Desk> {
  desk = new Desk(await liveWeb(), files);
  return desk;
}

describe('the kubectl line', () => {
  test('acts in the running cluster; the story goes on from there', async () => {
    const { bench } = await open();
    await desk?.act({ do: 'kubectl', line: 'kubectl scale deployment web --replicas=3' });
    expect(desk?.console).toEqual(['$ kubectl scale deployment web --replicas=3', 'deployment.apps/web scaled']);
    const before = desk?.state.cursor ?? 0;
    await desk?.act({ do: 'pass', until: 'event' });
    expect(desk?.state.cursor).toBeGreaterThan(before);
    await desk?.act({ do: 'pass', until: 'settled' });
    await desk?.act({ do: 'kubectl', line: 'get pods -o name' });
    expect(desk?.console.filter((line) => line.startsWith('pod/')).length).toBe(3);
    expect(bench.branches.length).toBe(1);
  });

  test('a command that waits lets time pass step by step, and can be interrupted', async () => {
    await open();
    await desk?.act({ do: 'kubectl', line: 'kubectl get pods -w' });
    expect(desk?.state.console.at(-1)?.text).toContain('still runs');
    expect(desk?.bench.session.live?.jobs.length).toBe(1);
    await desk?.act({ do: 'kubectl', line: 'kubectl scale deployment web --replicas=1' });
    await desk?.act({ do: 'pass', until: 'settled' });
    expect(desk?.console.some((line) => line.includes('Terminating'))).toBe(true);
    await desk?.act({ do: 'interrupt' });
    expect(desk?.bench.session.live?.jobs).toEqual([]);
  });

  test('reads the files that it is given, and says in words of kubectl what is wrong', async () => {
    await open({ 'x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { a: b }\n' });
    await desk?.act({ do: 'kubectl', line: 'kubectl apply -f x.yaml' });
    await desk?.act({ do: 'kubectl', line: 'kubectl apply -f y.yaml' });
    await desk?.act({ do: 'kubectl', line: 'kubectl fly' });
    await desk?.act({ do: 'kubectl', line: "kubectl get 'pods" });
    expect(desk?.console.filter((line) => !line.startsWith('$'))).toEqual([
      'configmap/settings created',
      'error: the path "y.yaml" does not exist',
      'error: unknown command "fly" for "kubectl"',
      'a quote is not closed',
    ]);
  });
});

describe('branches', () => {
  test('who changes the past gets a branch; both are kept, and what came of them can be compared', async () => {
    const { bench } = await open();
    await desk?.act({ do: 'kubectl', line: 'kubectl scale deployment web --replicas=3' });
    await desk?.act({ do: 'pass', until: 'settled' });
    const end = bench.session.timeline.last;
    const past = bench.session.timeline.marks[0]?.seq ?? 0;
    if (desk) desk.state = { ...desk.state, cursor: past };
    await desk?.act({ do: 'kubectl', line: 'kubectl get pods' });
    expect(bench.branches.length).toBe(1);
    if (desk) desk.state = { ...desk.state, cursor: end - 300 };
    await desk?.act({ do: 'kubectl', line: 'kubectl delete deployment web' });
    expect(bench.branches.map(({ name }) => name)).toEqual(['main', 'what-if-1']);
    expect(bench.branches[0]?.timeline.last).toBe(end);
    expect(bench.session.forkedAt).toBe(end - 300);
    await desk?.act({ do: 'branch', name: 'main' });
    expect(bench.session.name).toBe('main');
  });

  test('undo leaves the command away in a branch; redo goes back', async () => {
    const { bench } = await open();
    await desk?.act({ do: 'kubectl', line: 'kubectl scale deployment web --replicas=5' });
    await desk?.act({ do: 'kubectl', line: 'kubectl get pods' });
    await desk?.act({ do: 'undo' });
    await desk?.act({ do: 'kubectl', line: 'kubectl get deployment web -o jsonpath={.spec.replicas}' });
    expect(desk?.console.at(-1)).toBe('2');
    await desk?.act({ do: 'redo' });
    expect(bench.session.name).toBe('main');
  });

  test('a saved run comes out the same when it is replayed', async () => {
    const { bench } = await open();
    await desk?.act({ do: 'fault', fault: { fault: 'crash', component: 'kube-scheduler' } });
    await desk?.act({ do: 'kubectl', line: 'kubectl delete pod -l app=web --wait=false' });
    await desk?.act({ do: 'pass', until: 5_000 });
    const again = await bench.session.live?.fork(bench.session.timeline.last, 'again');
    expect(again?.cluster.simulation.trace.digest()).toBe(bench.session.live?.cluster.simulation.trace.digest());
    await desk?.act({ do: 'save', file: 'run.json' });
    expect(desk?.written.get('run.json')).toContain('"bottleship"');
  });
});

test('faults that name what is not there say what there is', async () => {
  await open();
  await desk?.act({ do: 'fault', fault: { fault: 'crash', component: 'nobody' } });
  expect(desk?.state.notice).toContain('there is no component "nobody"; there are');
});

test('a run becomes a test for a controller of the user', async () => {
  await open();
  await desk?.act({ do: 'kubectl', line: 'kubectl scale deployment web --replicas=3' });
  await desk?.act({ do: 'pass', until: 'settled' });
  await desk?.act({ do: 'export', file: 'web.test.ts' });
  const text = desk?.written.get('web.test.ts') ?? '';
  expect(text).toContain("import { createTestCluster, expectTrace } from 'bottleship/testing';");
  expect(text).toContain("await cluster.kubectl(['scale', 'deployment', 'web', '--replicas=3']);");
  expect(text).toMatch(/happened\(\{ verb: 'update', kind: 'ReplicaSet', name: 'web-\*', by: 'deployment-controller' \}, \{ after: /);
});

test('line by line there is the same content', async () => {
  const live = await liveWeb();
  const lines: string[] = [];
  const shell = new LineShell(new Workbench({ run: live.view, live, title: live.title }), { print: (line) => void lines.push(line) });
  for (const line of ['kubectl delete pod -l app=web --wait=false', 'G', 'w', 'v', ':compare main', '?', 'kubectl get pods'])
    expect(await shell.enter(line)).toBe(true);
  expect(await shell.enter('q')).toBe(false);
  const text = lines.join('\n');
  for (const part of ['replicaset-controller', 'Why #', 'The store, and what each component knows', 'Keys and commands', 'NAME', 'Running'])
    expect(text).toContain(part);
});
