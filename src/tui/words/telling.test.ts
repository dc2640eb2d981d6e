import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../api/object.ts';
import { runViewOf } from '../../cli/run-view.ts';
import { runScenario } from '../../scenario/run-scenario.ts';
import { parseScenario } from '../../scenario/scenario.ts';
import type { TraceEntry } from '../../sim/trace.ts';
import { createStory } from '../line/story.ts';
import { ArrayRunView } from '../model/array-run-view.ts';
import { sentenceOf } from '../model/sentence.ts';
import { EN_TELLING } from './telling-en.ts';
import { JA_TELLING } from './telling-ja.ts';

const JAPANESE = /[\u3041-\u30ff\u4e00-\u9fff]/;
/** Words that only English sentences are made of. */
const ENGLISH =
  /(?<![\w/.:-])(?:is|are|was|were|the|of|to|with|for|has|had|it|its|by|from|that|and|not|will|asked|tried|saw|because|same)(?![\w/.:-])/i;

const pod = { group: '', resource: 'pods', kind: 'Pod', namespace: 'default', name: 'web-1' };
type Body<K extends TraceEntry['kind']> = Omit<Extract<TraceEntry, { kind: K }>, 'seq' | 'time' | 'actor' | 'cause' | 'kind'>;

/** Each kind that there is, in the forms that make a difference. */
const ENTRIES: { readonly [K in TraceEntry['kind']]: readonly Body<K>[] } = {
  input: [
    { input: 'kubectl', text: 'kubectl get pods' },
    { input: 'fault', text: 'node n1 loses power' },
    { input: 'load', text: 'load of 200 requests/s for shop:80' },
    { input: 'visit', text: 'visit web:80 from node n1' },
  ],
  actor: (['started', 'crashed', 'paused', 'resumed'] as const).flatMap((what) => [
    { what, incarnation: 1 },
    { what, incarnation: 2 },
  ]),
  request: [
    { verb: 'list', user: 'u', object: { group: '', resource: 'pods', kind: 'Pod', name: '' } },
    { verb: 'update', user: 'u', object: pod, subresource: 'status' },
  ],
  stage: [{ request: 1, stage: 'storage', outcome: 'ok' }],
  write: (['create', 'update', 'delete'] as const).map((verb) => ({ verb, object: pod, user: 'u', revision: 2, previous: 1 })),
  response: [
    { request: 0, code: 200 },
    { request: 0, code: 409, reason: 'Conflict' },
    { request: 0, code: 404, reason: 'NotFound' },
  ],
  watch: (['ADDED', 'MODIFIED', 'DELETED'] as const).map((type) => ({ type, object: pod, revision: 2 })),
  reconcile: [
    { controller: 'replicaset', key: 'default/web', what: 'start' },
    { controller: 'replicaset', key: 'default/web', what: 'end' },
    { controller: 'replicaset', key: 'default/web', what: 'end', result: 'E' },
  ],
  decision: [{ component: 'kube-scheduler', object: pod, message: 'default/web-1 goes to n1: the only node that it fits on' }],
  runtime: [
    ...[
      ['container-created', 'container created from nginx'],
      ['container-started', 'container started'],
      ['container-start-failed', 'E'],
      ['container-signalled', 'SIGTERM sent'],
      ['container-killed', 'SIGKILL sent'],
      ['container-exited', 'container exited with 137 (OOMKilled)'],
      ['sandbox-created', 'sandbox created with address 10.0.0.1'],
      ['sandbox-stopped', 'sandbox stopped'],
      ['sandbox-stopped', 'ended with its machine'],
      ['probed', 'readiness probe of app: Success'],
    ].map(([what = '', message = '']) => ({ what, message, object: pod, container: 'app' })),
    { what: 'image-pulled', message: 'image nginx pulled (72099410 bytes)' },
    { what: 'rules', message: 'kube-proxy wrote the rules of node n1 for default/web (1 endpoint)' },
  ],
  fault: [{ message: 'kube-scheduler crashes' }],
};

test('no English sentence remains for any kind of entry', () => {
  const versions = [1, 2].map((revision) => ({
    reference: pod,
    revision,
    object: { kind: 'Pod', metadata: { name: 'web-1', namespace: 'default', labels: { revision: String(revision) } } } as KubernetesObject,
  }));
  for (const [kind, bodies] of Object.entries(ENTRIES)) {
    for (const body of bodies) {
      const entry = { seq: 1, time: 0, actor: 'kubectl', cause: 0, kind, ...body } as TraceEntry;
      const { who, what } = sentenceOf(new ArrayRunView({ entries: [entry], epoch: 0, versions }), entry, JA_TELLING);
      const label = `${kind}: ${who} ${what}`;
      expect(label).not.toMatch(ENGLISH);
      if (kind !== 'stage') expect(what, label).toMatch(JAPANESE);
    }
  }
});

/** Each sentence that the components of this simulation say, in one of its forms. */
const MESSAGES = readFileSync(new URL('./messages.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

test.each(MESSAGES)('%s', (message) => {
  const told = JA_TELLING.message(message);
  expect(told).toMatch(JAPANESE);
  expect(told).not.toMatch(ENGLISH);
  expect(EN_TELLING.message(message)).toBe(message);
});

test('how many endpoints there are is told in Japanese, too', () => {
  expect(JA_TELLING.message('wrote the rules for default/web (1 endpoint), default/api (2 endpoints)')).toBe(
    'ルールを書きました: default/web (エンドポイント1個), default/api (エンドポイント2個)',
  );
});

test('what is not known is told as it is, and what Kubernetes says is quoted', () => {
  expect(JA_TELLING.message('failed to resolve reference "a": not found')).toBe(
    'イメージを取得できません: failed to resolve reference "a": not found',
  );
  expect(JA_TELLING.message('0/2 nodes are available')).toBe('0/2 nodes are available');
});

/** What Kubernetes itself says within a sentence: it is quoted. */
function quotes(entry: TraceEntry): string {
  if (entry.kind === 'response') return entry.message ?? '';
  if (entry.kind === 'reconcile') return entry.result ?? '';
  return entry.kind === 'decision' || entry.kind === 'runtime'
    ? (/(?:scheduled|skipping|reference)[ :]+(.*)/.exec(entry.message)?.[1] ?? '')
    : '';
}

describe.each(['delete-a-pod', 'node-dies', 'rolling-update', 'crashing-container', 'volume-follows-its-pod', 'statefulset-update'])(
  'the scenario %s',
  (name) => {
    test('is told in Japanese, in the log and in the story', async () => {
      const file = `scenarios/${name}.yaml`;
      const scenario = parseScenario(readFileSync(file, 'utf8'), file, (path) => readFileSync(`scenarios/${path}`, 'utf8'));
      const { cluster } = await runScenario(scenario);
      const run = runViewOf(cluster);
      const story = createStory(run, { telling: () => JA_TELLING });
      const lines: string[] = [];
      const english: string[] = [];
      for (const entry of run.entries) {
        const { what } = sentenceOf(run, entry, JA_TELLING);
        const own = what.replace(quotes(entry), '').replace(/"[^"]*"/g, '');
        if (entry.kind !== 'stage' && (!JAPANESE.test(own) || ENGLISH.test(own))) english.push(what);
        lines.push(...story.next(entry));
      }
      expect(english.filter((line) => !/を実行しました$/.test(line))).toEqual([]);
      expect([...lines, ...story.end()].filter((line) => line !== '' && !JAPANESE.test(line))).toEqual([]);
    });
  },
);
