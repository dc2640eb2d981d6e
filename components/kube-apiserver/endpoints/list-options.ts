import { parseFieldSelector } from '../../../src/api/field-selector.ts';
import { type FieldError, newBadRequest, newInvalid } from '../../../src/api/status-error.ts';

/** The query with the name that the path names, as in `/watch/.../<name>`: one more condition of the field selector. */
export function withPathName(query: Query, name: string): Query {
  if (name === '') return query;
  const { fieldSelector = '' } = query;
  const wanted = parseFieldSelector(fieldSelector).requirements.find(
    ({ field, operator }) => field === 'metadata.name' && operator === '=',
  );
  if (wanted === undefined) return { ...query, fieldSelector: `${fieldSelector ? `${fieldSelector},` : ''}metadata.name=${name}` };
  if (wanted.value !== name) throw newBadRequest("fieldSelector metadata.name doesn't match requested name");
  return query;
}

type Query = Readonly<Record<string, string>>;

/** apimachinery pkg/apis/meta/internalversion/validation.ValidateListOptions, for lists */
export function validateListOptions(query: Query): void {
  assertNumbers(query);
  const { resourceVersion = '', resourceVersionMatch: match = '', continue: token = '', sendInitialEvents } = query;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (token !== '') errors.push(forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') errors.push(unsupportedMatch(match, ['Exact', 'NotOlderThan', '']));
    else if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  refuse(errors);
}

/** The same for watches. */
export function validateWatchOptions(query: Query): void {
  assertNumbers(query);
  const { resourceVersionMatch: match = '', continue: token = '', sendInitialEvents } = query;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '') {
    if (sendInitialEvents === undefined)
      errors.push(forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    if (match !== 'NotOlderThan') errors.push(unsupportedMatch(match, ['NotOlderThan']));
    if (token !== '') errors.push(forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided'));
  }
  refuse(errors);
}

function assertNumbers(query: Query): void {
  for (const key of ['limit', 'timeoutSeconds']) {
    const text = query[key];
    if (text !== undefined && !/^[+-]?\d+$/.test(text))
      throw newBadRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
}

function forbidden(field: string, text: string): FieldError {
  return { reason: 'FieldValueForbidden', field, body: `Forbidden: ${text}` };
}

function unsupportedMatch(match: string, supported: readonly string[]): FieldError {
  const values = supported.map((value) => JSON.stringify(value)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    field: 'resourceVersionMatch',
    body: `Unsupported value: ${JSON.stringify(match)}: supported values: ${values}`,
  };
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}
