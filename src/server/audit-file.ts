import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs';

/** kube-apiserver --audit-log-path: one JSON object a line, appended as it happens. */
export class AuditFile {
  readonly #fd: number;

  /** @throws when the file cannot be opened */
  constructor(path: string) {
    appendFileSync(path, '');
    this.#fd = openSync(path, 'a');
  }

  readonly write = (event: unknown): void => {
    writeSync(this.#fd, `${JSON.stringify(event)}\n`);
  };

  close(): void {
    closeSync(this.#fd);
  }
}
