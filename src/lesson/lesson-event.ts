import type { KubectlResult } from '../kubectl/kubectl.ts';
import type { RuleProblem } from './controllers/reconcile-rule.ts';
import type { CheckResult } from './judge-check.ts';
import type { DebriefPart } from './lesson.ts';
import type { Answer, OpenQuestion } from './question.ts';

/** What a learner does. A run of a lesson is its seed and a list of these. */
export type LessonInput =
  /** Goes on after something to read. */
  | { readonly do: 'next' }
  /** A kubectl command, `visit service/web`, `wait`, or `wait 30s`. `files` are those that it names after `-f`, besides the lesson's own. */
  | { readonly do: 'command'; readonly line: string; readonly files?: Readonly<Record<string, string>> }
  | { readonly do: 'answer'; readonly answer: Answer; readonly confidence?: Confidence }
  /** The next tier of hints for this step. */
  | { readonly do: 'hint' }
  /** Shows how this step is done. */
  | { readonly do: 'solution' };

/** 1 a guess, 2 I think so, 3 I know. */
export type Confidence = 1 | 2 | 3;

/** How the learner answered a question. */
export interface Verdict {
  readonly question: OpenQuestion;
  readonly prediction: boolean;
  readonly answer: Answer;
  readonly truth: Answer;
  readonly right: boolean;
  readonly confidence?: Confidence;
}

/** What the machine has to say; in no language yet. */
export type LessonEvent =
  /** A step begins. */
  | { readonly event: 'step'; readonly step: string }
  | { readonly event: 'question'; readonly question: OpenQuestion }
  | { readonly event: 'output'; readonly command: string; readonly result: KubectlResult; readonly late?: true }
  /** The way that a request took, and what came of it: lines that the simulation says. */
  | { readonly event: 'visited'; readonly command: string; readonly way: readonly string[] }
  /** Nothing was done. */
  | { readonly event: 'refused'; readonly why: RefusedWhy; readonly detail: string }
  /** It was done, and it is not what the step asks for. */
  | { readonly event: 'unexpected'; readonly command: string }
  /** Time ran, and what was waited for did not come. */
  | { readonly event: 'in-vain'; readonly step: string }
  /** An answer is taken; the verdict comes at the end of a later step. */
  | { readonly event: 'taken'; readonly question: OpenQuestion; readonly answer: Answer }
  | { readonly event: 'verdict'; readonly verdict: Verdict }
  /** `tested`: judged in a fork, so the run itself may look different. */
  | { readonly event: 'checked'; readonly step: string; readonly result: CheckResult; readonly tested?: boolean }
  /** The learner's reconcile as it is now; whether it is what runs. */
  | { readonly event: 'rules'; readonly rules: readonly string[]; readonly running: boolean }
  | { readonly event: 'mistake'; readonly id: string }
  /** `tier` 1 to 3. */
  | { readonly event: 'hint'; readonly step: string; readonly tier: number }
  | { readonly event: 'solution'; readonly step: string; readonly inputs: readonly LessonInput[] }
  | { readonly event: 'passed'; readonly step: string }
  /** Entries of the trace to be looked at again. */
  | { readonly event: 'replay'; readonly step: string; readonly from: number; readonly to: number }
  | { readonly event: 'debrief'; readonly step: string; readonly show: readonly DebriefPart[] }
  | { readonly event: 'finished' };

export type RefusedWhy =
  /** The step waits for something else; `detail` says for what. */
  | 'not-now'
  /** `detail`: the verbs that are allowed. */
  | 'not-allowed'
  /** `detail`: what was typed. */
  | 'not-a-command'
  /** `detail`: what was answered. */
  | 'not-an-answer'
  | 'no-more-hints'
  /** A line of a reconcile is not one; see `RuleProblem`. */
  | RuleProblem['problem']
  /** `detail`: the number of a line that is not there. */
  | 'no-such-line';
