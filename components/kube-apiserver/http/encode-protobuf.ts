import type { Status } from '../../../src/api/kinds/meta-v1.ts';
import { encodeProtobuf, encodeProtobufWatchEvent, hasProtobuf } from '../../../src/api/protobuf/encode.ts';
import type { ApiResponse, WatchEvent } from '../../../src/api/request.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';

interface Typed {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Whether a body is an object of the API, and not one of the answers that are always JSON: versions, schemas. */
export function isTyped(body: unknown): body is Typed {
  const { apiVersion, kind } = (body ?? {}) as Typed;
  return typeof apiVersion === 'string' && typeof kind === 'string';
}

/** The answer in protobuf; what has no such form becomes a 406 of that form. apiserver pkg/endpoints/handlers/responsewriters.SerializeObject */
export function protobufAnswer({ code, body }: ApiResponse): { readonly code: number; readonly bytes: Uint8Array<ArrayBuffer> } {
  const object = body as Typed;
  if (hasProtobuf(object)) return { code, bytes: encodeProtobuf(object) };
  const refusal = notMarshalable(object);
  return { code: refusal.code ?? code, bytes: encodeProtobuf(refusal) };
}

/** One frame of a watch. */
export function protobufFrame({ type, object }: WatchEvent): Uint8Array<ArrayBuffer> {
  const typed = object as Typed;
  return hasProtobuf(typed) ? encodeProtobufWatchEvent(type, typed) : encodeProtobufWatchEvent('ERROR', notMarshalable(typed));
}

/** apimachinery pkg/runtime/serializer/protobuf errNotMarshalable */
function notMarshalable({ kind = '' }: Typed): Status {
  const goType = kind === 'Table' ? '*v1.Table' : kind.endsWith('List') ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  const message = `object ${goType} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`;
  return new ApiStatusError({ message, reason: 'NotAcceptable', code: 406 }).status;
}
