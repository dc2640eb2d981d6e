import { type Matcher, matches } from '../scenario/matcher.ts';
import type { TraceEntry } from '../sim/trace.ts';
import { fill } from './fill.ts';
import type { LessonEvidence } from './judge-check.ts';
import { judgeCheck } from './judge-check.ts';
import type { Control, Prediction, PredictionAsk } from './lesson.ts';
import type { LessonRun } from './lesson-run.ts';
import { measure } from './measure.ts';

/** What came of a fork. */
export interface Truth {
  /** An option's name, a lane, a name, a number; for an order or a reconcile: several. */
  readonly answer: string | readonly string[];
  /** What is wrong with the question: no option holds, or two do. For authors. */
  readonly problem?: string;
}

/** Truths by question and run: what was found once need not be run again. */
export type TruthCache = Map<string, Truth>;

/** Finds out what happens, in a fork of the run. */
export async function truthOf(prediction: Prediction, run: LessonRun): Promise<Truth> {
  const fork = await run.fork({ digest: false });
  const mark = fork.now;
  await fork.act(prediction.future, { refusalsAllowed: true });
  return read(fill(prediction.ask, run.variables), fork.evidence(mark));
}

function read(ask: PredictionAsk, evidence: LessonEvidence): Truth {
  switch (ask.kind) {
    case 'choice':
      return one(Object.keys(ask.options).filter((name) => judgeCheck(ask.options[name] as never, evidence).ok));
    case 'lane': {
      const entry = evidence.entries.find((candidate) => matches(ask.event, candidate, evidence.read));
      if (!entry) return { answer: '', problem: 'the event never happens' };
      return among(doerOf(entry), ask.options);
    }
    case 'order':
      return orderOf(ask.items, evidence);
    case 'number': {
      const value = measure(ask.measure, evidence);
      return value === undefined ? { answer: '', problem: 'there is nothing to measure' } : { answer: value };
    }
    case 'object': {
      const value = measure(ask.measure, evidence);
      return value === undefined ? { answer: '', problem: 'there is nothing to measure' } : among(value, ask.options);
    }
  }
}

/** In which order the events happened. */
export function orderOf(items: Readonly<Record<string, Matcher>>, evidence: LessonEvidence): Truth {
  const at = Object.entries(items).map(([name, event]) => ({
    name,
    seq: evidence.entries.find((entry) => matches(event, entry, evidence.read))?.seq,
  }));
  const missing = at.filter(({ seq }) => seq === undefined).map(({ name }) => name);
  const answer = at.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0)).map(({ name }) => name);
  const tied = at.some(({ seq }, index) => index > 0 && seq === at[index - 1]?.seq);
  if (missing.length) return { answer, problem: `never happens: ${missing.join(', ')}` };
  return tied ? { answer, problem: 'two items are the same event' } : { answer };
}

/** The only one of several, or a problem. */
export function one(holding: readonly string[]): Truth {
  const [answer = ''] = holding;
  if (holding.length === 1) return { answer };
  return { answer, problem: holding.length ? `more than one option holds: ${holding.join(', ')}` : 'no option holds' };
}

function among(answer: string, options: readonly string[]): Truth {
  return options.includes(answer) ? { answer } : { answer, problem: `the truth, ${answer}, is none of the options` };
}

/** The lane of whoever is behind an entry: the user of a write or request, else the actor. */
function doerOf(entry: TraceEntry): string {
  if (!('user' in entry)) return entry.actor;
  if (entry.user === 'kubernetes-admin') return 'you';
  if (entry.user.startsWith('system:node:')) return `kubelet/${entry.user.slice('system:node:'.length)}`;
  if (entry.user === 'system:apiserver') return 'kube-apiserver';
  return entry.user.split(':').at(-1) ?? entry.user;
}

/** What our component writes in the fork, as the actions that a learner may choose. */
export async function actionsOf(control: Control, run: LessonRun): Promise<Truth> {
  const fork = await run.fork({ digest: false });
  const mark = fork.now;
  await fork.act(control.future);
  const actions = fork
    .evidence(mark)
    .entries.filter((entry) => entry.kind === 'write' && doerOf(entry) === control.by && control.kinds.includes(entry.object.kind))
    .map((entry) => (entry.kind === 'write' ? `${entry.subresource ?? entry.verb} ${entry.object.kind}` : ''));
  const unknown = [...new Set(actions)].filter((action) => !control.actions.includes(action));
  return unknown.length ? { answer: actions, problem: `it also does what cannot be chosen: ${unknown.join(', ')}` } : { answer: actions };
}
