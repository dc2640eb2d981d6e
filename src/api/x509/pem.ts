/** The bytes of the first PEM block of that type; undefined when there is none. */
export function decodePem(text: string, type: string): Uint8Array | undefined {
  const match = new RegExp(`-----BEGIN ${type}-----\\s+([A-Za-z0-9+/=\\s]+?)-----END ${type}-----`).exec(text);
  const binary = match?.[1] === undefined ? undefined : atob(match[1].replace(/\s/g, ''));
  return binary === undefined ? undefined : Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** Bytes as a PEM block. */
export function encodePem(bytes: Uint8Array, type: string): string {
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return `-----BEGIN ${type}-----\n${(base64.match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${type}-----\n`;
}
