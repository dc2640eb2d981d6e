/** Status codes of gRPC, as its errors print them (google.golang.org/grpc/codes). */
type RpcCode = 'Unknown' | 'InvalidArgument' | 'NotFound' | 'Internal' | 'Unavailable';

/** A call over gRPC that the other side refused. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: RpcCode;

  constructor(code: RpcCode, description: string) {
    super(`rpc error: code = ${code} desc = ${description}`);
    this.code = code;
  }
}
