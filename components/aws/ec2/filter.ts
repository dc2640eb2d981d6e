import type { QueryParameters } from '../query-parameters.ts';

/** Whether something fits all filters of a request: of each, one of the values. `valuesOf` says what it has under the name of a filter. */
export function fitsFilters(parameters: QueryParameters, valuesOf: (name: string) => readonly (string | undefined)[]): boolean {
  return parameters.structures('Filter').every((filter) => {
    const wanted = filter.texts('Value');
    return valuesOf(filter.get('Name') ?? '').some((value) => value !== undefined && wanted.includes(value));
  });
}
