/** Status codes of gRPC in the order of their numbers, as its errors print them (google.golang.org/grpc/codes). */
export const RPC_CODES = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
] as const;

export type RpcCode = (typeof RPC_CODES)[number];

/** A call over gRPC that the other side refused. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: RpcCode;

  constructor(code: RpcCode, description: string) {
    super(`rpc error: code = ${code} desc = ${description}`);
    this.code = code;
  }
}
