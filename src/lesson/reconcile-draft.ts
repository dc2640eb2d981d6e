import { stringify } from 'yaml';
import { RECONCILE } from './controllers/mine.ts';
import { parseRule, type RuleProblem } from './controllers/reconcile-rule.ts';

/** What a typed line did to the draft. */
export type Edit =
  | { readonly edit: 'changed' | 'shown' | 'run' }
  | { readonly edit: 'refused'; readonly why: RuleProblem['problem'] | 'no-such-line'; readonly detail: string };

const FILE = 'reconcile.yaml';
/** `create` and `update` are what people type who forget the rest. */
const RULE_START = /^(?:if|always|create|update)\b/;

/**
 * The reconcile that a learner writes, edited line by line: a rule is added, `2 RULE` takes the place of line 2, `2` takes it out, `rules` shows all, `run` gives them
 * to the controller. Nothing but lines, so that it is the same in the terminal UI, in line mode, and in the tests of a lesson.
 */
export class ReconcileDraft {
  #rules: readonly string[] = [];
  #released: readonly string[] = [];

  get rules(): readonly string[] {
    return this.#rules;
  }

  /** Whether the controller runs these lines. */
  get running(): boolean {
    return this.#rules.join('\n') === this.#released.join('\n');
  }

  /** Takes what was typed; undefined when it has nothing to do with the reconcile. */
  take(typed: string): Edit | undefined {
    const line = typed
      .normalize('NFKC')
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/^kubectl (?=run$|rules$|\d|if |always |create |update )/, '');
    if (line === 'run') return { edit: 'run' };
    if (line === 'rules') return { edit: 'shown' };
    const [, number, rule = ''] = /^(?:(\d+)\.?(?: |$))?(.*)$/.exec(line) ?? [];
    if (number === undefined && !RULE_START.test(rule)) return undefined;
    const at = number === undefined ? this.#rules.length : Number(number) - 1;
    if (number !== undefined && this.#rules[at] === undefined) return { edit: 'refused', why: 'no-such-line', detail: number };
    const read = rule ? parseRule(rule) : undefined;
    if (read && 'problem' in read) return { edit: 'refused', why: read.problem, detail: read.detail };
    this.#rules = this.#rules.toSpliced(at, 1, ...(rule ? [rule] : []));
    return { edit: 'changed' };
  }

  /** The command that hands the lines over, as the ConfigMap that the controller reads. */
  release(): { readonly command: string; readonly args: readonly string[]; readonly files: Readonly<Record<string, string>> } {
    this.#released = this.#rules;
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: RECONCILE, data: { rules: this.#rules.join('\n') } };
    return { command: this.#rules.join('; '), args: ['apply', '-f', FILE], files: { [FILE]: stringify(manifest) } };
  }
}
