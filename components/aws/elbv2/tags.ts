import type { QueryParameters } from '../query-parameters.ts';

/** What somebody has written on a resource, to find it again. */
export interface Tag {
  readonly Key: string;
  readonly Value: string;
}

export function tagsOf(parameters: QueryParameters): Tag[] {
  return parameters.structures('Tags').map((tag) => ({ Key: tag.required('Key'), Value: tag.get('Value') ?? '' }));
}
