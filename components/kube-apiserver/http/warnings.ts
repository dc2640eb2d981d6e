/** apiserver pkg/endpoints/filters: how much all warnings of an answer may say, and each of them once that is too much. */
const MAX_TOTAL = 4096;
const MAX_EACH = 256;

/**
 * The headers for the warnings of an answer: the same text once; when all of them are too long, the beginning of each, as far as there is room.
 * apiserver pkg/endpoints/filters.WithWarningRecorder
 * @example warningHeaders(['unknown field "spec.x"']) // ['299 - "unknown field \"spec.x\""']
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== '' && !/\p{Cc}/u.test(text));
  const total = texts.reduce((sum, text) => sum + [...text].length, 0);
  if (total <= MAX_TOTAL) return texts.map(warningHeader);
  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= MAX_TOTAL) break;
    const shortened = [...text].slice(0, MAX_EACH);
    written += shortened.length;
    headers.push(warningHeader(shortened.join('')));
  }
  return headers;
}

/** A header holds bytes: those of the text in UTF-8. Texts with control characters cannot be in one. apimachinery pkg/util/net.NewWarningHeader */
function warningHeader(text: string): string {
  const bytes = new TextEncoder().encode(text.replace(/["\\]/g, '\\$&'));
  return `299 - "${Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')}"`;
}
