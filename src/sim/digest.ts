/**
 * A running 64-bit digest of text, in two 32-bit FNV-1a lanes with different mixing. For comparing runs, not for security.
 * @example const digest = new Digest(); digest.update('a'); digest.hex() // 16 hex digits
 */
export class Digest {
  #low = 0x811c9dc5;
  #high = 0x9e3779b9;

  update(text: string): void {
    let low = this.#low;
    let high = this.#high;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x85ebca6b) ^ (low >>> 15);
    }
    this.#low = low;
    this.#high = high;
  }

  hex(): string {
    return (this.#low >>> 0).toString(16).padStart(8, '0') + (this.#high >>> 0).toString(16).padStart(8, '0');
  }
}
