import { KubectlError } from './kubectl-error.ts';
import { toJson } from './yaml-output.ts';

/** One step of a path. */
type Step =
  | { readonly step: 'field'; readonly name: string }
  | { readonly step: 'index'; readonly from: number; readonly to: number | undefined }
  | { readonly step: 'all' }
  | { readonly step: 'deep' }
  | { readonly step: 'filter'; readonly path: readonly Step[]; readonly operator: string; readonly value: unknown };

type Node =
  | { readonly node: 'text'; readonly text: string }
  | { readonly node: 'path'; readonly steps: readonly Step[] }
  | { readonly node: 'range'; readonly steps: readonly Step[]; readonly body: readonly Node[] };

/** What a template in the manner of client-go util/jsonpath makes of a value. @throws KubectlError for a template that cannot be read */
export function jsonPath(template: string, value: unknown): string {
  const nodes = parseTemplate(template);
  try {
    return run(nodes, value, value);
  } catch (error) {
    if (!(error instanceof OutOfBounds)) throw error;
    throw new KubectlError(
      `error: error executing jsonpath "${template}": Error executing template: ${error.message}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${template}\n\tobject given to jsonpath engine was:\n\t\t${toJson(value)}`,
    );
  }
}

/** All that the paths of a template lead to. @throws KubectlError */
export function jsonPathResults(template: string, value: unknown): unknown[] {
  return parseTemplate(template).flatMap((node) => (node.node === 'path' ? follow(node.steps, [value], true) : []));
}

/** An element is asked for that a list does not have. */
class OutOfBounds extends Error {}

/** All values at a path; the braces may be left out. @throws KubectlError */
export function valuesAt(path: string, value: unknown): unknown[] {
  const bare = path.replace(/^\{|\}$/g, '');
  return follow(parsePath(bare.startsWith('.') || bare.startsWith('[') || bare.startsWith('$') ? bare : `.${bare}`), [value]);
}

/** A value as text: objects as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : toJson(value);
}

function run(nodes: readonly Node[], value: unknown, root: unknown): string {
  return nodes
    .map((node) => {
      if (node.node === 'text') return node.text;
      const found = follow(node.steps, [value], true);
      if (node.node === 'path') return found.map(valueText).join(' ');
      return found.map((item) => run(node.body, item, root)).join('');
    })
    .join('');
}

/** @param bounded whether lists must have the elements that are asked for */
function follow(steps: readonly Step[], values: readonly unknown[], bounded = false): unknown[] {
  return steps.reduce<unknown[]>((found, step) => found.flatMap((value) => take(step, value, bounded)), [...values]);
}

function take(step: Step, value: unknown, bounded: boolean): unknown[] {
  const list = Array.isArray(value) ? value : undefined;
  switch (step.step) {
    case 'field': {
      const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step.name] : undefined;
      return found === undefined ? [] : [found];
    }
    case 'index': {
      if (!list) return [];
      const from = step.from < 0 ? list.length + step.from : step.from;
      if (bounded && step.to === undefined && (from < 0 || from >= list.length))
        throw new OutOfBounds(`array index out of bounds: index ${from}, length ${list.length}`);
      return step.to === undefined ? list.slice(from, from + 1) : list.slice(from, step.to < 0 ? list.length + step.to : step.to);
    }
    case 'all':
      return list ?? (typeof value === 'object' && value !== null ? Object.values(value) : []);
    case 'deep':
      return [
        value,
        ...(typeof value === 'object' && value !== null ? Object.values(value).flatMap((each) => take(step, each, bounded)) : []),
      ];
    case 'filter':
      return (list ?? []).filter((item) => fits(step, item));
  }
}

function fits({ path, operator, value }: Extract<Step, { step: 'filter' }>, item: unknown): boolean {
  const [found] = follow(path, [item]);
  if (operator === '') return found !== undefined;
  if (operator === '==') return found === value;
  if (operator === '!=') return found !== value;
  if (typeof found !== typeof value || found === undefined) return false;
  const [a, b] = [found as number, value as number];
  return operator === '<' ? a < b : operator === '<=' ? a <= b : operator === '>' ? a > b : a >= b;
}

function parseTemplate(template: string): Node[] {
  const stack: { steps: readonly Step[]; body: Node[] }[] = [{ steps: [], body: [] }];
  const add = (node: Node): void => void stack.at(-1)?.body.push(node);
  const part = /([^{]+)|\{((?:[^{}"']|"[^"]*"|'[^']*')*)\}/y;
  while (part.lastIndex < template.length) {
    const found = part.exec(template);
    if (!found) throw new KubectlError(`error: error parsing jsonpath ${template}, unclosed action`);
    const [, text, inner] = found;
    if (text !== undefined) add({ node: 'text', text });
    else readAction(inner?.trim() ?? '', { stack, add });
  }
  const [whole, ...open] = stack;
  if (open.length || !whole) throw new KubectlError(`error: error parsing jsonpath ${template}, unclosed action`);
  return whole.body;
}

function readAction(inner: string, { stack, add }: { stack: { steps: readonly Step[]; body: Node[] }[]; add: (node: Node) => void }): void {
  const range = /^range\s+(.+)$/.exec(inner);
  if (range?.[1]) stack.push({ steps: parsePath(range[1]), body: [] });
  else if (inner === 'end') {
    const ended = stack.length > 1 ? stack.pop() : undefined;
    if (!ended) throw new KubectlError('error: error parsing jsonpath, not in range');
    add({ node: 'range', ...ended });
  } else if (/^["']/.test(inner)) add({ node: 'text', text: inner.slice(1, -1).replace(/\\n/g, '\n').replace(/\\t/g, '\t') });
  else add({ node: 'path', steps: parsePath(inner) });
}

const TOKEN =
  /^(?:\.\.|\.?((?:\\.|[^.[\]\s\\])+)|\[\s*'([^']*)'\s*\]|\[\s*"([^"]*)"\s*\]|\[\s*\*\s*\]|\[\s*(-?\d+)?(:)?(-?\d+)?\s*\]|\[\?\(([^)]*)\)\])/;

/** `.items[*].status.conditions[?(@.type=="Ready")].status` */
function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  let rest = path.replace(/^[$@]/, '');
  while (rest && rest !== '.') {
    const found = TOKEN.exec(rest);
    if (!found?.[0])
      throw new KubectlError(`error: error parsing jsonpath {${path}}, unrecognized character in action: ${JSON.stringify(rest[0])}`);
    const [token, bare, single, double, from, colon, to, filter] = found;
    rest = rest.slice(token.length);
    if (token === '..') steps.push({ step: 'deep' });
    else if (bare !== undefined) steps.push(bare === '*' ? { step: 'all' } : { step: 'field', name: bare.replace(/\\(.)/g, '$1') });
    else if (single !== undefined || double !== undefined) steps.push({ step: 'field', name: single ?? double ?? '' });
    else if (filter !== undefined) steps.push(parseFilter(filter));
    else if (colon) steps.push({ step: 'index', from: Number(from ?? 0), to: Number(to ?? Number.MAX_SAFE_INTEGER) });
    else steps.push(from === undefined ? { step: 'all' } : { step: 'index', from: Number(from), to: undefined });
  }
  return steps;
}

function parseFilter(text: string): Step {
  const [, path = '', operator = '', literal = ''] = /^\s*@?([^=!<>\s]*)\s*(==|!=|<=|>=|<|>)?\s*(.*?)\s*$/.exec(text) ?? [];
  const value = /^["']/.test(literal) ? literal.slice(1, -1) : literal === 'true' ? true : literal === 'false' ? false : Number(literal);
  return { step: 'filter', path: parsePath(path), operator, value };
}
