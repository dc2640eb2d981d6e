/** A script that cannot be run, or a command that failed in a way that ends the shell. `status` is what the shell ends with. */
export class ShellError extends Error {
  override name = 'ShellError';
  readonly status: number;

  constructor(message: string, status = 2) {
    super(message);
    this.status = status;
  }
}
