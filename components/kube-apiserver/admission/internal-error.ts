import { ApiStatusError } from '../../../src/api/status-error.ts';

/** apimachinery pkg/api/errors.NewInternalError */
export function internalError(why: string): ApiStatusError {
  return new ApiStatusError({
    message: `Internal error occurred: ${why}`,
    reason: 'InternalError',
    details: { causes: [{ message: why }] },
    code: 500,
  });
}
