import type { Status, StatusCause, StatusDetails } from './kinds/meta-v1.ts';

/** An error that a user of the cluster can cause: it holds the `Status` that the API answers. */
export class ApiStatusError extends Error {
  override name = 'ApiStatusError';
  readonly status: Status;

  constructor(status: Omit<Status, 'metadata' | 'kind' | 'apiVersion' | 'status'>, options?: ErrorOptions) {
    super(status.message ?? '', options);
    const { reason, ...rest } = status;
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...(reason ? { reason } : {}), ...rest };
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

interface Named {
  readonly group: string;
  readonly resource: string;
}

const qualified = ({ group, resource }: Named): string => (group ? `${resource}.${group}` : resource);
const details = ({ group, resource }: Named, name: string, more: Partial<StatusDetails> = {}): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(group ? { group } : {}),
  kind: resource,
  ...more,
});

/** apimachinery pkg/api/errors NewNotFound */
export function newNotFound(resource: Named, name: string): ApiStatusError {
  return new ApiStatusError({
    message: `${qualified(resource)} "${name}" not found`,
    reason: 'NotFound',
    details: details(resource, name),
    code: 404,
  });
}

/** apimachinery pkg/api/errors NewAlreadyExists */
export function newAlreadyExists(resource: Named, name: string): ApiStatusError {
  return new ApiStatusError({
    message: `${qualified(resource)} "${name}" already exists`,
    reason: 'AlreadyExists',
    details: details(resource, name),
    code: 409,
  });
}

/** apimachinery pkg/api/errors NewConflict */
export function newConflict(resource: Named, name: string, why: string): ApiStatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new ApiStatusError({ message, reason: 'Conflict', details: details(resource, name), code: 409 });
}

/** apimachinery pkg/api/errors NewForbidden */
export function newForbidden(resource: Named, name: string, why: string): ApiStatusError {
  const subject = qualified(resource) ? `${qualified(resource)}${name ? ` "${name}"` : ''} is forbidden: ` : 'forbidden: ';
  return new ApiStatusError({ message: `${subject}${why}`, reason: 'Forbidden', details: details(resource, name), code: 403 });
}

/** apimachinery pkg/api/errors NewBadRequest */
export function newBadRequest(message: string): ApiStatusError {
  return new ApiStatusError({ message, reason: 'BadRequest', code: 400 });
}

/** apimachinery pkg/api/errors NewInvalid: `kind` is the Kind, not the resource; `errors` come from the validation of one object. */
export function newInvalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiStatusError {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.body}`))];
  const list = texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
  const causes: StatusCause[] = errors.map(({ reason, body, field }) => ({ reason, message: body, field }));
  return new ApiStatusError({
    message: `${kind.group ? `${kind.kind}.${kind.group}` : kind.kind} "${name}" is invalid: ${list}`,
    reason: 'Invalid',
    details: {
      ...(name ? { name } : {}),
      ...(kind.group ? { group: kind.group } : {}),
      ...(kind.kind ? { kind: kind.kind } : {}),
      ...(causes.length ? { causes } : {}),
    },
    code: 422,
  });
}

/** One finding of validation: apimachinery field.Error. */
export interface FieldError {
  /** `FieldValueRequired`, `FieldValueInvalid`, … */
  readonly reason: string;
  /** e.g. `spec.template.spec.containers[0].name` */
  readonly field: string;
  /** e.g. `Required value` */
  readonly body: string;
}

const hasReason =
  (reason: string) =>
  (error: unknown): error is ApiStatusError =>
    error instanceof ApiStatusError && error.reason === reason;

export const isNotFound = hasReason('NotFound');
export const isAlreadyExists = hasReason('AlreadyExists');
export const isConflict = hasReason('Conflict');
export const isInvalid = hasReason('Invalid');
export const isForbidden = hasReason('Forbidden');
export const isTooManyRequests = hasReason('TooManyRequests');
export const isExpired = hasReason('Expired');

/** The request failed because its namespace is being deleted (cause NamespaceTerminating). */
export function isNamespaceTerminating(error: unknown): boolean {
  return error instanceof ApiStatusError && (error.status.details?.causes ?? []).some((cause) => cause.reason === 'NamespaceTerminating');
}
