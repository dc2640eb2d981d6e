/** Go's complaint about text that is no standard base64 (encoding/base64 CorruptInputError); undefined when it is. */
export function base64Error(text: string): string | undefined {
  let quantum = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? '';
    if (char === '\n' || char === '\r') continue;
    if (char === '=') return paddingError(text, index, quantum);
    if (!/[A-Za-z0-9+/]/.test(char)) return corrupt(index);
    quantum = (quantum + 1) % 4;
  }
  return quantum === 0 ? undefined : corrupt(text.length - quantum);
}

function paddingError(text: string, index: number, quantum: number): string | undefined {
  if (quantum < 2) return corrupt(index);
  const rest = text.slice(index).replace(/[\r\n]/g, '');
  if (rest === (quantum === 2 ? '==' : '=')) return undefined;
  if (quantum === 2 && rest.length === 1) return corrupt(text.length);
  if (quantum === 2 && rest[1] !== '=') return corrupt(index + 1);
  return corrupt(index + (quantum === 2 ? 2 : 1));
}

function corrupt(index: number): string {
  return `illegal base64 data at input byte ${index}`;
}

/** How many bytes a base64 text stands for. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** The bytes that a base64 text stands for. */
export function base64ToBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Bytes as base64. */
export function bytesToBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
