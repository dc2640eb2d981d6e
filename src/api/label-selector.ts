import type { LabelSelector } from './kinds/meta-v1.ts';
import { newBadRequest } from './status-error.ts';
import { isQualifiedName, isValidLabelValue } from './validation/content.ts';
import { quote } from './validation/field.ts';

/** Decides whether a set of labels is meant: apimachinery pkg/labels Selector. */
export interface Selector {
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
  /** Selects everything. */
  readonly empty: boolean;
  readonly requirements: readonly Requirement[];
  toString(): string;
}

export type LabelOperator = 'in' | 'notin' | '=' | '!=' | '==' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label: apimachinery pkg/labels Requirement. */
export interface Requirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

class Requirements implements Selector {
  readonly requirements: readonly Requirement[];

  constructor(requirements: readonly Requirement[]) {
    this.requirements = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  get empty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Readonly<Record<string, string>> | undefined): boolean {
    for (const requirement of this.requirements) if (!requirementMatches(requirement, labels)) return false;
    return true;
  }

  toString(): string {
    return this.requirements.map(formatRequirement).join(',');
  }
}

/** Selects every object (labels.Everything). */
export const everything: Selector = new Requirements([]);

/** Selects no object (labels.Nothing). */
export const nothing: Selector = { requirements: [], empty: false, matches: () => false, toString: () => '' };

/** A selector out of ready conditions (labels.NewSelector().Add). */
export function newSelector(requirements: readonly Requirement[]): Selector {
  return new Requirements(requirements);
}

/** Selects objects that have all of these labels (labels.SelectorFromSet). */
export function selectorFromSet(labels: Readonly<Record<string, string>> | undefined): Selector {
  return new Requirements(Object.entries(labels ?? {}).map(([key, value]) => ({ key, operator: '=', values: [value] })));
}

/** apimachinery pkg/apis/meta/v1 LabelSelectorAsSelector: an absent selector selects nothing, an empty one everything. */
export function labelSelectorAsSelector(selector: LabelSelector | null | undefined): Selector {
  if (!selector) return nothing;
  const requirements: Requirement[] = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: '=',
    values: [value],
  }));
  const operators: Record<string, LabelOperator> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const known = operators[operator];
    if (!known) throw newBadRequest(`${quote(operator)} is not a valid label selector operator`);
    requirements.push({ key, operator: known, values: [...(values ?? [])].sort() });
  }
  return new Requirements(requirements);
}

/** How commands and messages print a LabelSelector (metav1.FormatLabelSelector). */
export function formatLabelSelector(selector: LabelSelector | null | undefined): string {
  const text = labelSelectorAsSelector(selector).toString();
  return text === '' ? '<none>' : text;
}

function requirementMatches({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>> | undefined): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case '=':
    case '==':
      return value !== undefined && value === values[0];
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt':
      return (
        value !== undefined &&
        /^[+-]?\d+$/.test(value) &&
        (operator === 'gt' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]))
      );
  }
}

function formatRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${[...values].sort().join(',')})`;
    case 'gt':
      return `${key}>${values[0]}`;
    case 'lt':
      return `${key}<${values[0]}`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}

/**
 * Reads the text form of a label selector (labels.Parse): `app=web,tier in (a, b),!old`.
 * @throws ApiStatusError 400 in the API's words when the text is malformed
 */
export function parseLabelSelector(text: string | undefined): Selector {
  if (!text?.trim()) return everything;
  return new Requirements(new Parser(text).parse());
}

type Token = '' | '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin' | 'identifier';

/** apimachinery pkg/labels Lexer and Parser. */
class Parser {
  private readonly text: string;
  private position = 0;
  private ahead: { token: Token; literal: string } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  parse(): Requirement[] {
    const found: Requirement[] = [];
    for (;;) {
      const { token, literal } = this.look();
      if (token === '') return found;
      if (token !== 'identifier' && token !== '!') throw newBadRequest(`found '${literal}', expected: !, identifier, or 'end of string'`);
      found.push(this.requirement());
      const next = this.take();
      if (next.token === '') return found;
      if (next.token !== ',') throw newBadRequest(`found '${next.literal}', expected: ',' or 'end of string'`);
      const after = this.look();
      if (after.token !== 'identifier' && after.token !== '!')
        throw newBadRequest(`found '${after.literal}', expected: identifier after ','`);
    }
  }

  private requirement(): Requirement {
    let operator: LabelOperator | undefined;
    let next = this.take();
    if (next.token === '!') {
      operator = '!';
      next = this.take();
    }
    if (next.token !== 'identifier') throw unable(`found '${next.literal}', expected: identifier`);
    const key = next.literal;
    checkKey(key);
    const ahead = this.look('values').token;
    if (operator || ahead === '' || ahead === ',') return { key, operator: operator ?? 'exists', values: [] };
    operator = this.operator();
    const values = operator === 'in' || operator === 'notin' ? this.values() : [this.exactValue()];
    checkValues(key, operator, values);
    return { key, operator, values };
  }

  private operator(): LabelOperator {
    const { token, literal } = this.take();
    const operators: Partial<Record<Token, LabelOperator>> = {
      in: 'in',
      '=': '=',
      '==': '==',
      '>': 'gt',
      '<': 'lt',
      notin: 'notin',
      '!=': '!=',
    };
    const operator = operators[token];
    if (!operator) throw unable(`found '${literal}', expected: in, notin, =, ==, !=, gt, lt`);
    return operator;
  }

  private values(): string[] {
    const open = this.take('values');
    if (open.token !== '(') throw unable(`found '${open.literal}' expected: '('`);
    const found = new Set<string>();
    const first = this.look('values');
    if (first.token === ')') {
      this.take('values');
      return [''];
    }
    if (first.token !== 'identifier' && first.token !== ',') throw unable(`found '${first.literal}', expected: ',', ')' or identifier`);
    for (;;) {
      const { token, literal } = this.take('values');
      if (token === 'identifier') {
        found.add(literal);
        const next = this.take('values');
        if (next.token === ')') return [...found].sort();
        if (next.token !== ',') throw unable(`found '${next.literal}', expected: ',' or ')'`);
        if (this.look('values').token === ')') found.add('');
      } else if (token === ',') {
        found.add('');
      } else if (token === ')') {
        return [...found].sort();
      } else {
        throw unable(`found '${literal}', expected: ',', or identifier`);
      }
    }
  }

  private exactValue(): string {
    const { token } = this.look('values');
    if (token === '' || token === ',') return '';
    const { token: found, literal } = this.take('values');
    if (found === 'identifier') return literal;
    throw unable(`found '${literal}', expected: identifier`);
  }

  private look(context: 'keys' | 'values' = 'keys'): { token: Token; literal: string } {
    this.ahead ??= this.lex();
    return asValue(this.ahead, context);
  }

  private take(context: 'keys' | 'values' = 'keys'): { token: Token; literal: string } {
    const taken = this.look(context);
    this.ahead = undefined;
    return taken;
  }

  private lex(): { token: Token; literal: string } {
    const rest = this.text.slice(this.position);
    const [space = ''] = /^[ \t\r\n]*/.exec(rest) ?? [];
    const [literal = ''] = /^(?:==|!=|[()<>,!=]|[^\s()<>,!=]+)/.exec(rest.slice(space.length)) ?? [];
    this.position += space.length + literal.length;
    if (literal === '' || /^(?:==|!=|[()<>,!=]|in|notin)$/.test(literal)) return { token: literal as Token, literal };
    return { token: 'identifier', literal };
  }
}

/** Where a value belongs, the words `in` and `notin` are plain text. */
function asValue(found: { token: Token; literal: string }, context: 'keys' | 'values'): { token: Token; literal: string } {
  const word = found.token === 'in' || found.token === 'notin';
  return word && context === 'values' ? { token: 'identifier', literal: found.literal } : found;
}

function unable(message: string) {
  return newBadRequest(`unable to parse requirement: ${message}`);
}

function checkKey(key: string): void {
  const [problem] = isQualifiedName(key);
  if (problem) throw unable(`<nil>: Invalid value: ${quote(key)}: ${isQualifiedName(key).join('; ')}`);
}

function checkValues(key: string, operator: LabelOperator, values: readonly string[]): void {
  if ((operator === 'gt' || operator === 'lt') && !/^[+-]?\d+$/.test(values[0] ?? '')) {
    throw unable(`values[0]: Invalid value: ${quote(values[0] ?? '')}: for 'Gt', 'Lt' operators, the value must be an integer`);
  }
  for (const [index, value] of values.entries()) {
    const problems = isValidLabelValue(value);
    if (problems.length > 0) throw unable(`values[${index}][${key}]: Invalid value: ${quote(value)}: ${problems.join('; ')}`);
  }
}
