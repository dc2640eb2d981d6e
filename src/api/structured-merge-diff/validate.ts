import { goPrint } from '../strategic-merge-patch.ts';
import { elementOfItem } from './list-items.ts';
import { fieldElement, type PathElement, printPath, printPathElement } from './path-element.ts';
import { deduceType, type FieldType, type ListType, type MapType } from './schema.ts';

/** One thing that is wrong with a value: `.spec.replicas: expected numeric (int or float), got string`. structured-merge-diff typed.ValidationError */
interface ValidationError {
  readonly path: readonly PathElement[];
  readonly message: string;
}

/** A value has not the form that its type asks for. structured-merge-diff typed.ValidationErrors */
export class ValidationErrors extends Error {
  override name = 'ValidationErrors';

  constructor(errors: readonly ValidationError[]) {
    const texts = errors.map(({ path, message }) => (path.length > 0 ? `${printPath(path)}: ${message}` : message));
    super(texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'));
  }
}

/** structured-merge-diff typed.validatingObjectWalker */
export function validateValue(value: unknown, type: FieldType, allowDuplicates: boolean): ValidationError[] {
  const walker = new Validation(allowDuplicates);
  walker.visit(value, type);
  return walker.errors;
}

class Validation {
  readonly errors: ValidationError[] = [];
  readonly #path: PathElement[] = [];
  readonly #allowDuplicates: boolean;

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates;
  }

  visit(value: unknown, declared: FieldType): void {
    if (value === null || value === undefined) return;
    const { map, scalar, list } = deduceType(declared, value);
    if (map) this.#visitMap(value, map);
    else if (scalar) this.#visitScalar(value, scalar);
    else if (list) this.#visitList(value, list);
  }

  #visitScalar(value: unknown, scalar: NonNullable<FieldType['scalar']>): void {
    const type = typeof value;
    if (scalar === 'numeric' && type !== 'number') this.#report(`expected numeric (int or float), got ${goTypeOfValue(value)}`);
    else if (scalar === 'string' && type !== 'string')
      this.#report(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    else if (scalar === 'boolean' && type !== 'boolean') this.#report(`expected boolean, got &{${goPrint(value)}}`);
    else if (scalar === 'untyped' && type === 'object') this.#report(`expected any scalar, got &{${goPrint(value)}}`);
  }

  #visitList(value: unknown, list: ListType): void {
    if (!Array.isArray(value)) {
      this.#report(`expected list, got &{${goPrint(value)}}`);
      return;
    }
    const seen = new Set<PathElement>();
    value.forEach((item: unknown, index) => {
      let element = `i:${index}`;
      if (list.relationship === 'associative') {
        const found = elementOfItem(list, item);
        if ('error' in found) {
          this.#report(`element ${index}: ${found.error}`);
          return;
        }
        element = found.element;
        if (seen.has(element) && !this.#allowDuplicates) this.#report(`duplicate entries for key ${printPathElement(element)}`);
        seen.add(element);
      }
      this.#below(element, item, list.items);
    });
  }

  #visitMap(value: unknown, map: MapType): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#report(`expected map, got &{${goPrint(value)}}`);
      return;
    }
    for (const [name, item] of Object.entries(value)) {
      const type = map.field(name) ?? map.items;
      if (type) this.#below(fieldElement(name), item, type);
      else this.#report('field not declared in schema', fieldElement(name));
    }
  }

  #below(element: PathElement, value: unknown, type: FieldType): void {
    this.#path.push(element);
    this.visit(value, type);
    this.#path.pop();
  }

  #report(message: string, ...below: PathElement[]): void {
    this.errors.push({ path: [...this.#path, ...below], message });
  }
}

/** Go's `%T` of a parsed value. */
function goTypeOfValue(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Go's `%#v` of a parsed value. */
function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[string]interface {}{${entries.map(([name, item]) => `${JSON.stringify(name)}:${goSyntax(item)}`).join(', ')}}`;
  }
  return value === null || value === undefined ? 'interface {}(nil)' : JSON.stringify(value);
}
