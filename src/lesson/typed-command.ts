import type { KubectlResult } from '../kubectl/kubectl.ts';
import { parseDuration } from '../scenario/duration.ts';
import { parseVisit, type TypedVisit } from '../scenario/parse-visit.ts';
import { canonicalCommand, commandWords } from './command-line.ts';
import { fillText, type Variables } from './fill.ts';
import type { Lesson, LessonStep } from './lesson.ts';

/** Verbs that change nothing: never refused, and no move in the lesson. */
export const READ_VERBS: readonly string[] = ['get', 'describe', 'logs', 'top', 'explain', 'events', 'api-resources', 'auth'];

/** What a typed line means. */
export type TypedCommand =
  | { readonly typed: 'nonsense' }
  /** `cat FILE`: a file of the lesson. */
  | { readonly typed: 'show'; readonly file: string }
  /** Time may run: so many virtual milliseconds, or until all is settled. */
  | { readonly typed: 'wait'; readonly ms: number | 'settled' }
  /** A request is sent to something in the cluster, or to a load balancer before it. */
  | { readonly typed: 'visit'; readonly visit: TypedVisit; readonly canonical: string }
  | { readonly typed: 'kubectl'; readonly args: readonly string[]; readonly reads: boolean; readonly canonical: string };

export function readTyped(line: string): TypedCommand {
  const args = commandWords(line);
  if (!args) return { typed: 'nonsense' };
  const [verb = '', word, ...more] = args;
  if (verb === 'cat' && word !== undefined && !more.length) return { typed: 'show', file: word };
  if (verb === 'wait' && (word === undefined || (!more.length && /^\d/.test(word)))) {
    const ms = word === undefined ? 'settled' : parseDuration(word);
    return ms === undefined ? { typed: 'nonsense' } : { typed: 'wait', ms };
  }
  if (verb === 'visit') {
    const visit = word === undefined || more.length ? undefined : parseVisit(word);
    return visit ? { typed: 'visit', visit, canonical: canonicalCommand(line) } : { typed: 'nonsense' };
  }
  const reads = READ_VERBS.includes(verb) || (verb === 'rollout' && (word === 'status' || word === 'history'));
  return { typed: 'kubectl', args, reads, canonical: canonicalCommand(line) };
}

/** Whether a line changes nothing and takes no time that matters: it may be typed whatever a lesson waits for. */
export function onlyLooks(line: string): boolean {
  const typed = readTyped(line);
  return typed.typed === 'show' || (typed.typed === 'kubectl' && typed.reads);
}

/** What `cat` prints. */
export function shownFile({ files }: Lesson, file: string): KubectlResult {
  const text = files[file];
  if (text === undefined) return { stdout: [], stderr: [`cat: ${file}: No such file or directory`], code: 1 };
  return { stdout: [text.trimEnd()], stderr: [], code: 0 };
}

/** What a step of kind `run` takes for what it asked, in canonical spelling. */
export function expectedCommands(step: LessonStep & { step: 'run' }, variables: Variables): string[] {
  return [step.expect, ...step.accept].map((command) => canonicalCommand(fillText(command, variables)));
}

/** Verbs that a learner may use at a step, besides reading. */
export function allowedVerbs(lesson: Lesson, step: LessonStep): string[] {
  const expected = step.step === 'run' ? [step.expect, ...step.accept].map((command) => commandWords(command)?.[0] ?? '') : [];
  return [...new Set([...lesson.allow, ...expected])];
}
