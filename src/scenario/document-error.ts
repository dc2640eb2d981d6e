/** Something is wrong with a file that a person wrote: says where, in which field, and what was expected. */
export class DocumentError extends Error {
  override name = 'DocumentError';
  readonly file: string;
  /** 1-based; 0 when the whole file is meant. */
  readonly line: number;
  readonly column: number;
  /** e.g. `steps[2].wait`; '' for the whole document. */
  readonly field: string;

  constructor(at: { file: string; line: number; column: number; field: string }, problem: string) {
    const place = at.line ? `${at.file}:${at.line}:${at.column}` : at.file;
    super(`${place}: ${at.field ? `${at.field}: ` : ''}${problem}`);
    this.file = at.file;
    this.line = at.line;
    this.column = at.column;
    this.field = at.field;
  }
}
