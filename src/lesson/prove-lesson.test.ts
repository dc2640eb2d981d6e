import { expect, test } from 'vitest';
import { loadLesson } from './load-lesson.ts';
import { proveLesson } from './prove-lesson.ts';

const LESSON = `
apiVersion: lesson/v1
id: small
minutes: 1
cluster: { nodes: 1, setup: [{ kubectl: create namespace shop }], pick: { node: Node/* } }
allow: [create, delete, label]
steps:
  - { id: label, run: "label node {node} disk=ssd" }
  - { id: guess, predict: { options: { one: { count: { kind: Node, eq: 1 } }, two: { count: { kind: Node, eq: 2 } } } } }
  - { id: make, task: { check: { exists: Namespace/blog } } }
mistakes:
  - { id: wrong-name, when: { exists: Namespace/log } }
tests:
  solution: { make: [create namespace blog] }
  mustFail: [{ at: make, do: [create namespace log], mistake: wrong-name }]
`;
/** One of the two is drawn, whichever: both are judged. */
const POOL =
  '  - { id: pool, quiz: { draw: 1, questions: [{ id: a, options: { x: true, y: false } }, { id: b, options: { x: false, y: false } }] } }';
const EN = `
title: Small
summary: A small lesson.
steps:
  label: { title: label it, goal: "Label {node}.", hints: [look, think, "label node {node} disk=ssd"] }
  guess:
    title: guess
    ask: How many nodes?
    recall: A cluster.
    options: { one: { label: one, why: it is one }, two: { label: two, why: it is one } }
  make: { title: make it, goal: Make a Namespace blog., hints: [look, think, create namespace blog] }
mistakes: { wrong-name: The name is wrong. }
`;

function prove(changes: { lesson?: [string, string]; en?: [string, string]; ja?: [string, string] }) {
  const change = (text: string, [from, to]: [string, string] = ['', '']): string => text.replace(from, to);
  const en = change(EN, changes.en);
  const files: Record<string, string> = { 'lesson.yaml': change(LESSON, changes.lesson), 'en.yaml': en };
  const hash = loadLesson('small', (name) => files[name])?.texts.en?.hash ?? '';
  files['ja.yaml'] = change(`translationOf: ${hash}\n${EN}`, changes.ja);
  const loaded = loadLesson('small', (name) => files[name]);
  return loaded ? proveLesson(loaded).then((found) => found.map(({ file, where, problem }) => `${file}: ${where}: ${problem}`)) : undefined;
}

test('a sound lesson has no problems', async () => {
  expect(await prove({})).toEqual([]);
});

test.each([
  [{ lesson: ['eq: 2', 'max: 2'] }, 'lesson.yaml: steps.guess: more than one option holds: one, two'],
  [{ lesson: ['eq: 1 ', 'eq: 3 '] }, 'lesson.yaml: steps.guess: no option holds'],
  [{ lesson: ['  - { id: make,', `${POOL}\n  - { id: make,`] }, 'lesson.yaml: steps.pool.questions.b: no option holds'],
  [
    { lesson: ['make: [create namespace blog]', 'make: [create namespace blug]'] },
    'lesson.yaml: tests.solution.make: the commands of the solution do not pass',
  ],
  [{ lesson: ['exists: Namespace/blog', 'exists: Namespace/shop'] }, 'it holds already when the step begins: doing nothing would pass'],
  [
    { lesson: ['do: [create namespace log]', 'do: [create namespace blog]'] },
    'lesson.yaml: tests.mustFail (at make: create namespace blog): it passes',
  ],
  [{ lesson: ['do: [create namespace log]', 'do: [create namespace lag]'] }, 'the reply should be "wrong-name"; it was none'],
  [{ lesson: ['"label node {node} disk=ssd" }', '"label node {nod} disk=ssd" }'] }, 'kubectl label node {nod} disk=ssd'],
  [
    { en: ['hints: [look, think, create', 'hints: [look, create namespace blog, create'] },
    'en.yaml: steps.make.hints[1]: gives the answer away',
  ],
  [{ en: ['why: it is one }, two', 'why: "" }, two'] }, 'en.yaml: steps.guess.options.one.why: say why it is right or wrong'],
  [
    { lesson: ['  - { id: make,', '  - { id: count, quiz: { kind: number, answer: 3 } }\n  - { id: make,'] },
    'en.yaml: steps.count.options."3": say why it is this number',
  ],
  [{ en: ['Label {node}.', 'Label {knot}.'] }, 'en.yaml: steps.label.goal: nothing is picked under the name {knot}; there are node'],
  [{ ja: ['    recall: A cluster.\n', ''] }, 'ja.yaml: steps.guess.recall: is in en.yaml, but not here'],
  [{ ja: ['Label {node}.', 'Label it.'] }, 'ja.yaml: steps.label.goal: names other things than en.yaml: {node} expected'],
  [
    { en: ['title: Small', 'title: Little'], ja: ['translationOf: ', 'translationOf: 0'] },
    'ja.yaml: translationOf: en.yaml has changed since',
  ],
] as [Parameters<typeof prove>[0], string][])('a broken one says where: %j', async (changes, problem) => {
  expect((await prove(changes))?.join('\n')).toContain(problem);
});
