// The JSON Schemas of lessons, for editors: lessons/lesson.schema.json and lessons/text.schema.json. The loader in src/lesson is what decides; names of fields come from it.
import { PATTERN_VERBS } from '../src/lesson/event-pattern.ts';
import { DEBRIEF_PARTS } from '../src/lesson/lesson.ts';
import type { STEP_TEXT_FIELDS, TEXT_FIELDS } from '../src/lesson/lesson-text.ts';
import { CHECKS } from '../src/lesson/read-check.ts';
import { API_VERSION, type LESSON_FIELDS } from '../src/lesson/read-lesson.ts';
import { STEP_KINDS } from '../src/lesson/read-step.ts';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const boolean: Schema = { type: 'boolean' };
const anything: Schema = {};
const id: Schema = { type: 'string', pattern: '^[a-z][a-z0-9-]*$' };
const duration: Schema = { type: 'string', pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$', description: 'e.g. 30s, 1m30s' };
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const list = (items: Schema): Schema => ({ type: 'array', items });
const map = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
const either = (...schemas: Schema[]): Schema => ({ anyOf: schemas });
const fields = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...(required.length ? { required } : {}),
});

const comparison = { eq: anything, ne: anything, lt: number, gt: number, min: number, max: number, exists: boolean };
const selection = { kind: text, name: text, namespace: text, labels: map(text), ready: boolean, where: map(anything) };
const eventOrAfter = either(ref('event'), fields({ event: ref('event'), after: ref('event') }, ['event']));

const checks: Readonly<Record<(typeof CHECKS)[number], Schema>> = {
  all: list(ref('check')),
  any: list(ref('check')),
  not: ref('check'),
  count: fields({ ...selection, ...comparison }, ['kind']),
  exists: ref('selection'),
  absent: ref('selection'),
  object: ref('selection'),
  happened: eventOrAfter,
  never: eventOrAfter,
  before: { ...list(ref('event')), minItems: 2, maxItems: 2 },
  within: fields({ time: duration, event: ref('event'), after: ref('event') }, ['time', 'event']),
  times: fields({ event: ref('event'), ...comparison }, ['event']),
  coexist: list(ref('selection')),
  always: fields({ ...selection, ...comparison }, ['kind']),
  ever: fields({ ...selection, ...comparison }, ['kind']),
  ran: text,
};

const measure = either(
  fields({ count: ref('selection'), when: oneOf('end', 'most', 'fewest') }, ['count']),
  fields({ times: ref('event') }, ['times']),
  fields({ seconds: fields({ from: ref('event'), to: ref('event') }, ['to']) }, ['seconds']),
  fields({ object: ref('selection'), path: text, newest: boolean }, ['object']),
  fields({ event: ref('event'), path: text }, ['event']),
);

const question = {
  kind: oneOf('choice', 'lane', 'order', 'number', 'object'),
  options: either(map(either(boolean, ref('check'))), list(either(text, number))),
  items: either(list(text), map(ref('event'))),
  answer: either(text, number, ref('measure')),
  tolerance: number,
};

const steps: Readonly<Record<(typeof STEP_KINDS)[number], Schema>> = {
  narrate: either({ type: 'null' }, fields({ focus: list(text) })),
  run: either(text, fields({ expect: text, accept: list(text), check: ref('check') }, ['expect'])),
  advance: ref('until'),
  fault: either(ref('fault'), list(ref('fault'))),
  load: either(ref('load'), list(ref('load'))),
  predict: fields({
    kind: oneOf('choice', 'lane', 'order', 'number', 'object'),
    hide: list(text),
    confidence: boolean,
    future: list(ref('action')),
    revealAt: id,
    options: either(map(ref('check')), list(either(text, number))),
    items: map(ref('event')),
    event: ref('event'),
    measure: ref('measure'),
    tolerance: number,
  }),
  quiz: either(fields(question), fields({ draw: number, questions: list(fields({ id: text, ...question }, ['id'])) }, ['questions'])),
  task: fields({ check: ref('check') }, ['check']),
  check: ref('check'),
  reconcile: fields({ check: ref('check'), future: list(ref('action')) }, ['check']),
  control: fields({ by: text, kinds: list(text), actions: list(text), future: list(ref('action')) }, ['by', 'kinds', 'actions']),
  replay: fields({ from: id, to: id }, ['from', 'to']),
  debrief: either({ type: 'null' }, fields({ show: list(oneOf(...DEBRIEF_PARTS)) })),
};

/** What clusters of scenarios may have besides is let pass here; the loader knows it. */
const cluster: Readonly<Record<string, Schema>> = {
  seed: either(text, number),
  nodes: either(number, list({ type: 'object' })),
  components: list(text),
  controllers: list(text),
  images: list({ type: 'object' }),
  customControllers: list(text),
  schedulerConfig: anything,
  schedulers: anything,
  addons: { type: 'object' },
  cloud: { type: 'object' },
  flags: { type: 'object' },
  apply: list(text),
  setup: list(ref('action')),
  settle: boolean,
  pick: ref('picks'),
};

const lesson: Readonly<Record<(typeof LESSON_FIELDS)[number], Schema>> = {
  apiVersion: { const: API_VERSION },
  id,
  requires: list(id),
  minutes: number,
  concepts: list(text),
  cluster: { type: 'object', properties: cluster },
  variants: list({ type: 'object', properties: cluster }),
  lanes: list(text),
  allow: list(text),
  files: list(text),
  steps: { ...list(ref('step')), minItems: 1 },
  mistakes: list(fields({ id: text, at: either(id, list(id)), when: ref('check') }, ['id', 'when'])),
  tests: fields({
    solution: map(list(text)),
    mustFail: list(fields({ at: id, do: list(text), mistake: text }, ['at', 'do'])),
  }),
};

const definitions: Readonly<Record<string, Schema>> = {
  event: {
    description: `Kind[/name] VERB [by who], or a matcher of the trace. Verbs: ${PATTERN_VERBS.join(', ')}`,
    ...either({ type: 'string', pattern: `^([A-Z]\\w*|\\*)(/\\S+)? (${PATTERN_VERBS.join('|')})( by \\S+)?$` }, { type: 'object' }),
  },
  selection: either({ type: 'string', pattern: '^[A-Z]\\w*(/\\S+)?$' }, fields(selection, ['kind'])),
  check: {
    ...fields({ id: text, ...checks, path: text, ...comparison, exists: either(boolean, ref('selection')) }),
    anyOf: CHECKS.map((name) => ({ required: [name] })),
  },
  measure,
  until: either(text, fields({ until: text, event: ref('event'), check: ref('check'), within: duration })),
  action: { type: 'object', description: 'a step of a scenario: apply, kubectl, fault, load, wait or pick' },
  load: { type: 'object', description: 'a load as in scenarios: { service: shop, requestsPerSecond: 200 }' },
  fault: { type: 'object', description: 'a fault as in scenarios: { crash: kube-scheduler }, { stop-node: n1 }, …' },
  picks: map(either({ type: 'string' }, fields({ ...selection, newest: boolean, path: text }, ['kind']))),
  branch: fields({ when: either(fields({ wrong: number }), fields({ missed: id }), fields({ check: ref('check') })), goto: id }, ['goto']),
  step: {
    ...fields({ id, ...steps, pick: ref('picks'), next: id, branch: list(ref('branch')), stopAt: ref('until'), since: id }, ['id']),
    anyOf: STEP_KINDS.map((name) => ({ required: [name] })),
  },
};

const option = either(text, fields({ label: text, why: text }, ['label']));
const stepText: Readonly<Record<(typeof STEP_TEXT_FIELDS)[number], Schema>> = {
  title: text,
  say: text,
  ask: text,
  goal: text,
  done: text,
  recall: text,
  hints: { ...list(text), maxItems: 3 },
  options: map(option),
  checks: map(text),
  questions: map(ref('stepText')),
};
const words: Readonly<Record<(typeof TEXT_FIELDS)[number], Schema>> = {
  title: text,
  summary: text,
  translationOf: text,
  steps: map(ref('stepText')),
  mistakes: map(text),
  links: list(fields({ label: text, url: text }, ['label', 'url'])),
};

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schemas by the file that they are published in. */
export const LESSON_SCHEMAS: Readonly<Record<string, Schema>> = {
  'lesson.schema.json': {
    $schema: DIALECT,
    title: 'bottleship lesson',
    ...fields(lesson, ['apiVersion', 'id', 'minutes', 'steps']),
    $defs: definitions,
  },
  'text.schema.json': {
    $schema: DIALECT,
    title: 'words of a bottleship lesson',
    ...fields(words, ['title', 'summary', 'steps']),
    $defs: { stepText: fields(stepText) },
  },
};
