import { ApiStatusError } from '../../../src/api/status-error.ts';

/** apimachinery pkg/api/errors.NewGenericServerResponse for 404 */
export function noSuchResource(): ApiStatusError {
  return new ApiStatusError({ message: 'the server could not find the requested resource', reason: 'NotFound', details: {}, code: 404 });
}

/** The same for 405. */
export function methodNotAllowed(): ApiStatusError {
  return new ApiStatusError({
    message: 'the server does not allow this method on the requested resource',
    reason: 'MethodNotAllowed',
    details: {},
    code: 405,
  });
}

/** The same for 415. */
export function unsupportedMediaType(): ApiStatusError {
  return new ApiStatusError({ message: '415: Unsupported Media Type', reason: 'UnsupportedMediaType', details: {}, code: 415 });
}

/** What the real server has and this one does not. */
export function notImplemented(what: string): ApiStatusError {
  return new ApiStatusError({ message: `${what} is not implemented in this cluster`, reason: 'NotImplemented', code: 501 });
}
