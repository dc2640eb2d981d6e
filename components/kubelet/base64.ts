/** The text in base64, read as UTF-8. */
export function decodeBase64(encoded: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0));
}
