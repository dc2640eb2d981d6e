import { expect, test } from 'vitest';
import type { SchedulingDecision } from '../../../components/kube-scheduler/explain.ts';
import { cellWidth } from '../text/cells.ts';
import { JA_TELLING } from '../words/telling-ja.ts';
import { decisionTable } from './decision-table.ts';
import type { DecisionEntry } from './scheduling-decision.ts';

// Goal: the table shows who refused which node, every number of the scores, the choice, and what woke the pod, in 80 columns.

const object = { group: '', resource: 'pods', kind: 'Pod', namespace: 'default', name: 'web' };
const entry = (details: SchedulingDecision): DecisionEntry => ({
  kind: 'decision',
  component: 'kube-scheduler',
  actor: 'kube-scheduler',
  seq: 7,
  time: 5_917,
  cause: 0,
  object,
  message: '',
  details,
});
const draw = (details: SchedulingDecision): string =>
  `\n${decisionTable(entry(details), 80)
    .map(({ text }) => text)
    .join('\n')}\n`;
const scored = (node: string, fit: number, affinity: readonly [number, number]) => ({
  node,
  total: fit + 2 * affinity[1],
  plugins: [
    { plugin: 'NodeResourcesFit', raw: fit, normalized: fit, weight: 1, score: fit },
    { plugin: 'InterPodAffinity', raw: affinity[0], normalized: affinity[1], weight: 2, score: 2 * affinity[1] },
  ],
});

test('a pod that was scheduled', () => {
  const details: SchedulingDecision = {
    outcome: 'scheduled',
    attempt: 2,
    node: 'n2',
    nodes: { evaluated: 4, feasible: 3 },
    refused: [{ node: 'n1', plugin: 'TaintToleration', code: 'Unschedulable', reasons: ['node(s) had untolerated taint {a: b}'] }],
    scores: [scored('n2', 50, [1200, 100]), scored('n4', 50, [1200, 100]), scored('n3', 98, [-100, 0])],
    equals: ['n2', 'n4'],
    queue: [
      { time: 1_007, queue: 'unschedulable', event: 'ScheduleAttemptFailure' },
      { time: 5_917, queue: 'active', event: 'NodeLabelChange' },
    ],
  };
  expect(draw(details)).toBe(`
goes to n2
  attempt 2: 4 nodes looked at, 3 fit

Refused nodes
  node  filter           its words
  n1    TaintToleration  node(s) had untolerated taint {a: b}

Scores: raw, normalised, and times the weight
  plugin                          weight             n2            n4
  NodeResourcesFit                     1     50  50  50    50  50  50
  InterPodAffinity                     2   1200 100 200  1200 100 200
  sum                                             > 250           250

  plugin                          weight             n3
  NodeResourcesFit                     1     98  98  98
  InterPodAffinity                     2   -100   0   0
  sum                                                98

The choice
  chance took n2 out of 2 with the same sum: n2, n4

In the queue: when, what, woken by
       1.007s  waits for something to change  ScheduleAttemptFailure
       5.917s  ready to be scheduled          NodeLabelChange
       5.917s  this decision
`);
});

test('a pod that fits nowhere', () => {
  const details: SchedulingDecision = {
    outcome: 'unschedulable',
    attempt: 1,
    message: '0/60 nodes are available: 60 Insufficient cpu.',
    nodes: { evaluated: 60, feasible: 0 },
    refused: [
      {
        node: 'a-node-with-a-name-longer-than-most',
        plugin: 'NodeResourcesFit',
        code: 'Unschedulable',
        reasons: ['Insufficient cpu', 'Insufficient memory', 'Too many pods'],
      },
    ],
    scores: [],
    equals: [],
    queue: [],
  };
  expect(draw(details)).toBe(`
cannot be scheduled
  attempt 1: 60 nodes looked at, 0 fit
  0/60 nodes are available: 60 Insufficient cpu.

Refused nodes
  node                      filter            its words
  a-node-with-a-name-lon..  NodeResourcesFit  Insufficient cpu, Insufficient
                                              memory, Too many pods
  and 59 more

In the queue: when, what, woken by
       5.917s  this decision
`);
});

test('no line is wider than it may be', () => {
  const names = ['node-with-a-long-name-1', 'node-with-a-long-name-2', 'c', 'd', 'e'];
  const scores = names.map((node) => scored(node, 100, [123_456, 100]));
  const details: SchedulingDecision = {
    outcome: 'scheduled',
    attempt: 1,
    node: 'c',
    nodes: { evaluated: 5, feasible: 5 },
    refused: [],
    scores,
    equals: names,
    queue: [],
  };
  expect(Math.max(...decisionTable(entry(details), 80).map(({ text }) => text.length))).toBeLessThanOrEqual(80);
});

test('in Japanese: columns stand below each other, and nothing is wider than it may be', () => {
  const lines = decisionTable(
    entry({
      outcome: 'scheduled',
      attempt: 1,
      node: 'n2',
      nodes: { evaluated: 3, feasible: 2 },
      refused: [{ node: 'n1', plugin: 'TaintToleration', code: 'Unschedulable', reasons: ['node(s) had untolerated taint {a: b}'] }],
      scores: [scored('n2', 50, [1200, 100]), scored('n4', 50, [1200, 100])],
      equals: ['n2', 'n4'],
      queue: [{ time: 1_007, queue: 'unschedulable', event: 'ScheduleAttemptFailure' }],
    }),
    80,
    JA_TELLING,
  ).map(({ text }) => text);
  expect(`\n${lines.join('\n')}\n`).toBe(`
n2に置きます
  1回目: ノード3個を調べ、条件に合うのは2個

拒否されたノード
  ノード  フィルター       理由
  n1      TaintToleration  node(s) had untolerated taint {a: b}

スコア: 元の値、正規化した値、重みを掛けた値
  プラグイン                        重み             n2            n4
  NodeResourcesFit                     1     50  50  50    50  50  50
  InterPodAffinity                     2   1200 100 200  1200 100 200
  合計                                            > 250           250

選択
  合計が同じ2個から、偶然によりn2が選ばれました: n2, n4

キューの中: 時刻、状態、きっかけ
       1.007s  何かが変わるのを待つ           ScheduleAttemptFailure
       5.917s  この決定
`);
  expect(Math.max(...lines.map(cellWidth))).toBeLessThanOrEqual(80);
});
