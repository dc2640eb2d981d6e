import { newBadRequest } from './status-error.ts';
import { quote } from './validation/field.ts';

/** One condition of a field selector: apimachinery pkg/fields Requirement. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** apimachinery pkg/fields Selector. The API decides per kind which fields there are; see `unsupportedFieldLabel`. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly empty: boolean;
  /** `fieldValue` gives the text of a field of the object in question. */
  matches(fieldValue: (field: string) => string): boolean;
  toString(): string;
}

/**
 * Reads a field selector (fields.ParseSelector): `metadata.name=web,status.phase!=Running`; `\\`, `\,` and `\=` stand for the character itself.
 * @throws ApiStatusError 400 in the API's words when the text is malformed
 */
export function parseFieldSelector(text: string | undefined): FieldSelector {
  const source = text ?? '';
  const requirements = splitTerms(source)
    .sort()
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, source));
  return newFieldSelector(requirements);
}

/** A field selector out of ready conditions. */
export function newFieldSelector(requirements: readonly FieldRequirement[]): FieldSelector {
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (fieldValue) => requirements.every(({ field, operator, value }) => (fieldValue(field) === value) === (operator === '=')),
    toString: () => requirements.map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`).join(','),
  };
}

/** What the API says of a field that cannot be selected by: kinds with fields of their own name the label, others list what there is. */
export function unsupportedFieldLabel(field: string, hasOwnFields: boolean): string {
  if (hasOwnFields) return `field label not supported: ${field}`;
  return `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(term: string, whole: string): FieldRequirement {
  for (let index = 0; index < term.length; index++) {
    if (term[index] === '\\') {
      index++;
      continue;
    }
    for (const operator of ['!=', '==', '='] as const) {
      if (!term.startsWith(operator, index)) continue;
      const value = unescapeValue(term.slice(index + operator.length));
      return { field: term.slice(0, index), operator: operator === '!=' ? '!=' : '=', value };
    }
  }
  throw newBadRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
}

function unescapeValue(value: string): string {
  let out = '';
  for (let index = 0; index < value.length; index++) {
    const char = value[index];
    if (char === '\\') {
      const next = value[++index] ?? '';
      if (next === '') throw newBadRequest('invalid field selector: invalid escape sequence: \\');
      if (!'\\,='.includes(next)) throw newBadRequest(`invalid field selector: invalid escape sequence: \\${next}`);
      out += next;
    } else if (char === ',' || char === '=') {
      throw newBadRequest(`invalid field selector: unescaped character in value: ${char}`);
    } else out += char;
  }
  return out;
}
