import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { EndpointSlice } from '../../../../src/api/kinds/discovery-v1.ts';

/** What counts in the generation of a slice: all but metadata, and labels. pkg/registry/discovery/endpointslice PrepareForUpdate */
export function endpointSliceChanges(slice: EndpointSlice, old: EndpointSlice): boolean {
  const { metadata, ...content } = slice;
  const { metadata: oldMetadata, ...oldContent } = old;
  return !semanticDeepEqual(content, oldContent) || !semanticDeepEqual(metadata.labels, oldMetadata.labels);
}
