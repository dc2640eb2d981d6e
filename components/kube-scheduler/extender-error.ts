/** What an extender answered instead of an answer, or why none came. */
export class ExtenderError extends Error {
  override name = 'ExtenderError';
}
