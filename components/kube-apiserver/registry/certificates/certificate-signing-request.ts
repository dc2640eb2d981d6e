import type { CertificateSigningRequest } from '../../../../src/api/kinds/certificates-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { formatTime } from '../../../../src/api/time.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notSupported, quote, required, tooLong } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const MAX_DOMAIN = 253;
/** A domain, a slash, and a name that may hold a label and a subdomain. */
const MAX_SIGNER_NAME = 253 + 1 + (253 + 63 + 1);

type Conditions = NonNullable<NonNullable<CertificateSigningRequest['status']>['conditions']>;

/** kubernetes pkg/registry/certificates/certificates: who asks is written down by the server. */
export const certificateSigningRequestRules: KindRules<CertificateSigningRequest> = {
  hasStatus: true,
  prepareForCreate: (request, { user }) => {
    const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec;
    const extra =
      user.extra && Object.keys(user.extra).length > 0
        ? { extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])) }
        : {};
    const who = {
      username: user.username,
      ...(user.uid ? { uid: user.uid } : {}),
      ...(user.groups.length > 0 ? { groups: [...user.groups] } : {}),
      ...extra,
    };
    return { ...request, spec: { ...spec, ...who } };
  },
  prepareForUpdate: (request, old) => ({ ...request, spec: old.spec }),
  validate: validateRequest,
  validateUpdate: () => [],
  prepareForStatusUpdate: (request, old, { wallTime }) => withConditionTimes(request, old, formatTime(wallTime)),
  validateStatusUpdate: (request, old) => [...validateStatus(request, old), ...notAdded(request, old, ['Approved', 'Denied'])],
  subresources: {
    approval: {
      prepareForUpdate: ({ wallTime }, request, old) => {
        const conditions = request.status?.conditions;
        const { conditions: _, ...rest } = old.status ?? {};
        const approved = { ...old, metadata: request.metadata, status: { ...rest, ...(conditions ? { conditions } : {}) } };
        return withConditionTimes(approved, old, formatTime(wallTime));
      },
      validateUpdate: (_context, request, old) => [...validateStatus(request, old), ...notAdded(request, old, ['Failed'])],
    },
  },
};

/** kubernetes pkg/registry/certificates/certificates populateConditionTimestamps */
function withConditionTimes(request: CertificateSigningRequest, old: CertificateSigningRequest, now: string): CertificateSigningRequest {
  const given = request.status?.conditions;
  if (!given || given === old.status?.conditions) return request;
  const conditions = given.map((condition) => {
    if (condition.lastTransitionTime && condition.lastUpdateTime) return condition;
    const before = old.status?.conditions?.find(({ type }) => type === condition.type);
    const transition = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime ?? now,
      lastTransitionTime: condition.lastTransitionTime ?? transition,
    };
  });
  return { ...request, status: { ...request.status, conditions } };
}

/** Each door has conditions that it cannot set. */
function notAdded({ status }: CertificateSigningRequest, old: CertificateSigningRequest, types: readonly string[]): FieldError[] {
  const has = (conditions: Conditions | undefined, type: string): boolean =>
    conditions?.some((condition) => condition.type === type) ?? false;
  return types
    .filter((type) => has(status?.conditions, type) && !has(old.status?.conditions, type))
    .map((type) => forbidden('status.conditions', `updates may not add a condition of type "${type}"`));
}

/** kubernetes pkg/apis/certificates/validation validateCertificateSigningRequest */
function validateRequest({ spec }: CertificateSigningRequest): FieldError[] {
  const errors: FieldError[] = [];
  if (!isPem(spec.request, 'CERTIFICATE REQUEST'))
    errors.push(invalid('spec.request', spec.request || undefined, 'PEM block type must be CERTIFICATE REQUEST'));
  if (!spec.usages?.length) errors.push(required('spec.usages'));
  const seen = new Set<string>();
  for (const [index, usage] of (spec.usages ?? []).entries()) {
    if (!USAGES.includes(usage)) errors.push(notSupported(`spec.usages[${index}]`, usage, USAGES));
    if (seen.has(usage)) errors.push(duplicate(`spec.usages[${index}]`, usage));
    seen.add(usage);
  }
  validateSignerName(errors, spec.signerName);
  if (spec.expirationSeconds !== undefined && spec.expirationSeconds < 600)
    errors.push(invalid('spec.expirationSeconds', spec.expirationSeconds, 'may not specify a duration less than 600 seconds (10 minutes)'));
  return errors;
}

function isPem(base64: string | undefined, type: string): boolean {
  return atob(base64 ?? '').includes(`-----BEGIN ${type}-----`);
}

/** kubernetes pkg/apis/certificates/validation ValidateSignerName */
function validateSignerName(errors: FieldError[], name: string | undefined): void {
  const path = 'spec.signerName';
  if (!name) {
    errors.push(required(path));
    return;
  }
  const [domain = '', segment, ...more] = name.split('/');
  if (segment === undefined || more.length > 0) {
    errors.push(invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"));
    return;
  }
  if (domain.length > MAX_DOMAIN) errors.push(tooLong(path, MAX_DOMAIN));
  firstBadLabel(errors, path, { part: domain, check: isDNS1123Label });
  if (!domain.includes('.')) errors.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  firstBadLabel(errors, path, { part: segment, check: isDNS1123Subdomain });
  if (name.length > MAX_SIGNER_NAME) errors.push(tooLong(path, MAX_SIGNER_NAME));
}

/** Only the first bad label of a part is spoken of. */
function firstBadLabel(
  errors: FieldError[],
  path: string,
  { part, check }: { part: string; check: (label: string) => readonly string[] },
): void {
  const bad = part.split('.').find((label) => check(label).length > 0);
  if (bad === undefined) return;
  for (const message of check(bad)) errors.push(invalid(path, part, `validating label ${quote(bad)}: ${message}`));
}

function validateStatus({ status }: CertificateSigningRequest, old: CertificateSigningRequest): FieldError[] {
  const errors: FieldError[] = [];
  const conditions = status?.conditions ?? [];
  for (const [index, condition] of conditions.entries()) {
    if (condition.type !== 'Failed' && condition.type !== 'Approved' && condition.type !== 'Denied') continue;
    if (condition.status !== 'True') errors.push(notSupported(`status.conditions[${index}].status`, condition.status, ['True']));
  }
  const has = (type: string): boolean => conditions.some((condition) => condition.type === type);
  const decisions = conditions.map(({ type }) => type).filter((type) => type === 'Approved' || type === 'Denied');
  if (new Set(decisions).size > 1)
    errors.push(invalid('status.conditions', decisions.at(-1), 'Approved and Denied conditions are mutually exclusive'));
  for (const type of ['Approved', 'Denied', 'Failed']) {
    if (old.status?.conditions?.some((condition) => condition.type === type) && !has(type))
      errors.push(forbidden('status.conditions', `updates may not remove a condition of type "${type}"`));
  }
  if (status?.certificate && status.certificate !== old.status?.certificate && !isPem(status.certificate, 'CERTIFICATE')) {
    errors.push(invalid('status.certificate', '<certificate data>', 'must contain at least one CERTIFICATE PEM block'));
  }
  return errors;
}
