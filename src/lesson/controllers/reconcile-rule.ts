import { BOOL, type CelType, DYN, isDynOrError, listOf, STRING } from '../../api/cel/cel-type.ts';
import { compile, type Program } from '../../api/cel/environment.ts';
import type { Activation } from '../../api/cel/evaluator.ts';

/*
 * How a learner writes reconcile. It has to be typed in a minute, line by line (also by who hears the screen read), and it must be possible to get it wrong as people get
 * real controllers wrong. So it is neither of what lies nearest:
 * - JavaScript would be code of strangers in our process, and a run could no longer be trusted to come out the same again.
 * - A hook as metacontroller has it (a template of what should be there) is idempotent whatever one writes: the framework compares. Here comparing is what is learned.
 * It is a list of rules, carried out from top to bottom at each call. Conditions are CEL, the language of Kubernetes' own validation rules: bounded in cost and without
 * effects, and knowing it is of use elsewhere. What an object looks like is known (`database-objects.ts`); when to write it, and under which name, is the learner's.
 */

export const RULE_VERBS = ['create', 'update', 'delete'] as const;
export const RULE_KINDS = ['Service', 'StatefulSet', 'Job', 'Pod'] as const;
export type RuleVerb = (typeof RULE_VERBS)[number];
export type RuleKind = (typeof RULE_KINDS)[number];

/** One line of a reconcile. */
export interface Rule {
  readonly text: string;
  /** Absent: always. */
  readonly condition?: Program;
  readonly verb: RuleVerb;
  readonly kind: RuleKind;
  /** The object's name, if it is not that of the Database. */
  readonly named?: Program;
  /** The API server completes the name. */
  readonly generateName?: Program;
}

/** What is wrong with a line. `detail`: where, and what CEL says of it; or what there is instead. */
export interface RuleProblem {
  readonly problem: 'rule-form' | 'rule-kind' | 'rule-expression' | 'rule-type';
  readonly detail: string;
}

/** What conditions and names can speak of. */
const VARIABLES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['self', DYN],
  ['name', STRING],
  ['services', listOf(DYN)],
  ['statefulsets', listOf(DYN)],
  ['jobs', listOf(DYN)],
]);
/** The budget of one expression, in the units of the real one. */
const COST_LIMIT = 100_000;
const RULE =
  /^(?:always|if (?<condition>.+) then) (?<verb>create|update|delete) (?<kind>\w+)(?: (?<how>named|generateName) (?<expression>.+))?$/;

/**
 * Reads one line of a reconcile.
 * @example parseRule('if services.size() == 0 then create Service')
 */
export function parseRule(text: string): Rule | RuleProblem {
  const { condition, verb, kind, how, expression } = RULE.exec(text)?.groups ?? {};
  if (!verb || !kind) return { problem: 'rule-form', detail: text };
  const known = RULE_KINDS.find((name) => name.toLowerCase() === kind.toLowerCase());
  if (!known) return { problem: 'rule-kind', detail: RULE_KINDS.join(', ') };
  if (how === 'generateName' && verb !== 'create') return { problem: 'rule-form', detail: text };
  const when = condition === undefined ? undefined : compileAt(text, condition, BOOL);
  if (when && 'problem' in when) return when;
  const name = expression === undefined ? undefined : compileAt(text, expression, STRING);
  if (name && 'problem' in name) return name;
  return {
    text,
    verb: verb as RuleVerb,
    kind: known,
    ...(when ? { condition: when } : {}),
    ...(name ? { [how === 'generateName' ? 'generateName' : 'named']: name } : {}),
  };
}

/** The value of an expression of a rule. @throws CelError */
export function evaluateIn(program: Program, variables: Activation): unknown {
  return program.evaluate(variables, COST_LIMIT).value;
}

function compileAt(line: string, expression: string, type: CelType): Program | RuleProblem {
  const { program, error } = compile(expression, VARIABLES);
  const at = line.indexOf(expression);
  if (!program) {
    const [, column = '1', message = error] = /^ERROR: <input>:\d+:(\d+): (.*)/.exec(error) ?? [];
    return { problem: 'rule-expression', detail: `${at + Number(column)}: ${message}` };
  }
  if (isDynOrError(program.type) || program.type.kind === type.kind) return program;
  return { problem: 'rule-type', detail: `${at + 1}: ${program.type.kind}, ${type.kind}` };
}
