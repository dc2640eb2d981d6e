import type { DocumentReader } from '../scenario/document-reader.ts';
import { readFault } from '../scenario/read-fault.ts';
import { readLoad } from '../scenario/read-load.ts';
import type { ReadFile } from '../scenario/scenario.ts';
import { readEventPattern } from './event-pattern.ts';
import {
  type Branch,
  type Control,
  DEBRIEF_PARTS,
  type LessonStep,
  type StepBase,
  type StepBody,
  type StepKind,
  type Until,
} from './lesson.ts';
import { readCheck } from './read-check.ts';
import { readFuture } from './read-future.ts';
import { readPicks } from './read-picks.ts';
import { readPrediction } from './read-prediction.ts';
import { readQuiz } from './read-quiz.ts';

export const STEP_KINDS: readonly StepKind[] = [
  'narrate',
  'run',
  'advance',
  'fault',
  'load',
  'predict',
  'quiz',
  'task',
  'check',
  'control',
  'reconcile',
  'replay',
  'debrief',
];
/** Fields that stand beside the one that says what kind of step it is. */
const BESIDE: Partial<Record<StepKind, readonly string[]>> = { run: ['stopAt'], fault: ['stopAt'], load: ['stopAt'], check: ['since'] };
const COMMON = ['id', 'pick', 'next', 'branch'];
const WITHIN_MS = 600_000;
const SETTLED: Until = { until: 'settled', withinMs: WITHIN_MS };

/** Reads one step. @throws DocumentError */
export function readLessonStep(reader: DocumentReader, readFile: ReadFile): LessonStep {
  const names = reader.fieldNames();
  const kind = STEP_KINDS.find((name) => names.includes(name));
  if (!kind) reader.fail(`expected one of ${STEP_KINDS.join(', ')}; found ${names.join(', ') || 'nothing'}`);
  reader.onlyFields([kind, ...COMMON, ...(BESIDE[kind] ?? [])]);
  const id = reader.field('id');
  if (!/^[a-z][a-z0-9-]*$/.test(id.string())) id.fail('expected small letters, digits and hyphens, e.g. when-new-pod');
  const next = reader.field('next');
  const base: StepBase = {
    id: id.string(),
    picks: readPicks(reader.field('pick')),
    branches: reader.field('branch').items().map(readBranch),
    ...(next.exists ? { next: next.string() } : {}),
  };
  return { ...base, ...readBody(kind, reader, readFile) };
}

function readBody(kind: StepKind, reader: DocumentReader, readFile: ReadFile): StepBody {
  const body = reader.field(kind);
  switch (kind) {
    case 'narrate':
      if (body.exists) body.onlyFields(['focus']);
      return {
        step: kind,
        focus: body.exists
          ? body
              .field('focus')
              .items()
              .map((item) => item.string())
          : [],
      };
    case 'run':
      return { step: kind, ...readRun(body), stopAt: readUntil(reader.field('stopAt'), SETTLED) };
    case 'advance':
      return { step: kind, stopAt: readUntil(body, SETTLED) };
    case 'fault': {
      const faults = body.isList ? body.items() : [body];
      return { step: kind, faults: faults.map(readFault), stopAt: readUntil(reader.field('stopAt'), { until: 'time', ms: 0 }) };
    }
    case 'load': {
      const loads = body.isList ? body.items() : [body];
      return { step: kind, loads: loads.map(readLoad), stopAt: readUntil(reader.field('stopAt'), { until: 'time', ms: 0 }) };
    }
    case 'predict':
      return { step: kind, predict: readPrediction(body, readFile) };
    case 'quiz':
      return { step: kind, ...readQuiz(body) };
    case 'reconcile':
      body.onlyFields(['check', 'future']);
      return {
        step: kind,
        reconcile: {
          check: readCheck(body.field('check')),
          future: body.field('future').exists ? readFuture(body.field('future'), readFile) : [],
        },
      };
    case 'task':
      body.onlyFields(['check']);
      return { step: kind, check: readCheck(body.field('check')) };
    case 'check':
      return { step: kind, check: readCheck(body), ...(reader.field('since').exists ? { since: reader.field('since').string() } : {}) };
    case 'control':
      return { step: kind, control: readControl(body, readFile) };
    case 'replay':
      body.onlyFields(['from', 'to']);
      return { step: kind, from: body.field('from').string(), to: body.field('to').string() };
    case 'debrief': {
      if (body.exists) body.onlyFields(['show']);
      const show = body.exists ? body.field('show').items() : [];
      return { step: kind, show: show.length ? show.map((item) => item.oneOf(DEBRIEF_PARTS)) : DEBRIEF_PARTS };
    }
  }
}

function readRun(body: DocumentReader): Pick<StepBody & { step: 'run' }, 'expect' | 'accept' | 'check'> {
  if (body.isText) return { expect: body.string(), accept: [] };
  body.onlyFields(['expect', 'accept', 'check']);
  const check = body.field('check');
  return {
    expect: body.field('expect').string(),
    accept: body
      .field('accept')
      .items()
      .map((item) => item.string()),
    ...(check.exists ? { check: readCheck(check) } : {}),
  };
}

/** `settled`, a time, an event pattern, or `{ event | check | until, within }`. @throws DocumentError */
function readUntil(reader: DocumentReader, fallback: Until): Until {
  if (!reader.exists) return fallback;
  if (reader.isText) {
    const text = reader.string();
    if (text === 'settled') return SETTLED;
    if (/^\d/.test(text)) return { until: 'time', ms: reader.duration() };
    return { until: 'event', event: readEventPattern(reader), withinMs: WITHIN_MS };
  }
  reader.onlyFields(['until', 'event', 'check', 'within']);
  const [until, event, check, within] = ['until', 'event', 'check', 'within'].map((name) => reader.field(name)) as [
    DocumentReader,
    DocumentReader,
    DocumentReader,
    DocumentReader,
  ];
  const withinMs = within.exists ? within.duration() : WITHIN_MS;
  if (event.exists) return { until: 'event', event: readEventPattern(event), withinMs };
  if (check.exists) return { until: 'check', check: readCheck(check), withinMs };
  if (!until.exists) reader.fail('expected until, event or check');
  return { ...readUntil(until, fallback), ...(within.exists ? { withinMs } : {}) } as Until;
}

function readBranch(reader: DocumentReader): Branch {
  reader.onlyFields(['when', 'goto']);
  const goto = reader.field('goto').string();
  const when = reader.field('when');
  if (!when.exists) return { goto };
  when.onlyFields(['wrong', 'missed', 'check']);
  if (when.field('wrong').exists) return { when: { wrong: when.field('wrong').number() }, goto };
  if (when.field('missed').exists) return { when: { missed: when.field('missed').string() }, goto };
  return { when: { check: readCheck(when.field('check')) }, goto };
}

function readControl(body: DocumentReader, readFile: ReadFile): Control {
  body.onlyFields(['by', 'kinds', 'actions', 'future']);
  return {
    by: body.field('by').string(),
    kinds: body
      .field('kinds')
      .items()
      .map((item) => item.string()),
    actions: body
      .field('actions')
      .items()
      .map((item) => item.string()),
    future: readFuture(body.field('future'), readFile),
  };
}
