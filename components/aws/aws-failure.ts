/** A request that a service refuses. */
export class AwsFailure extends Error {
  override name = 'AwsFailure';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
