/** `namespace/name` of something that need not be an object of any kind: what is no text counts as absent. apimachinery unstructured.Unstructured GetName */
export function placeOf({ metadata }: { readonly metadata?: unknown }): string {
  const { namespace, name } = (metadata ?? {}) as { namespace?: unknown; name?: unknown };
  return `${typeof namespace === 'string' ? namespace : ''}/${typeof name === 'string' ? name : ''}`;
}
