import type { CertificateSigningRequest } from '../../../../src/api/kinds/certificates-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
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
  prepareForStatusUpdate: withKeptApprovals,
  validateStatusUpdate: validateStatus,
  subresources: {
    approval: {
      prepareForUpdate: (_context, request, old) => {
        const conditions = request.status?.conditions;
        const { conditions: _, ...rest } = old.status ?? {};
        const status = { ...rest, ...(conditions ? { conditions } : {}) };
        return { ...old, metadata: request.metadata, status };
      },
      validateUpdate: (_context, request, old) => validateStatus(request, old),
    },
  },
};

/** Through /status approvals cannot change; the times of new conditions are the signer's. */
function withKeptApprovals(request: CertificateSigningRequest, old: CertificateSigningRequest): CertificateSigningRequest {
  const decided = ({ type }: Conditions[number]): boolean => type === 'Approved' || type === 'Denied';
  const others = (request.status?.conditions ?? []).filter((condition) => !decided(condition));
  const kept = (old.status?.conditions ?? []).filter(decided);
  const conditions = [...kept, ...others];
  const { conditions: _, ...status } = request.status ?? {};
  return { ...request, status: { ...status, ...(conditions.length > 0 ? { conditions } : {}) } };
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
  if (segment === undefined || more.length > 0 || !domain.includes('.'))
    errors.push(invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"));
  else
    for (const part of [domain, segment])
      for (const message of isDNS1123Subdomain(part)) errors.push(invalid(path, name, `validating label "${part}": ${message}`));
}

function validateStatus({ status }: CertificateSigningRequest, old: CertificateSigningRequest): FieldError[] {
  const errors: FieldError[] = [];
  const conditions = status?.conditions ?? [];
  for (const [index, condition] of conditions.entries()) {
    if (condition.type !== 'Failed' && condition.type !== 'Approved' && condition.type !== 'Denied') continue;
    if (condition.status !== 'True') errors.push(notSupported(`status.conditions[${index}].status`, condition.status, ['True']));
  }
  const has = (type: string): boolean => conditions.some((condition) => condition.type === type);
  if (has('Approved') && has('Denied'))
    errors.push(invalid('status.conditions', 'Denied', 'Approved and Denied conditions are mutually exclusive'));
  for (const type of ['Approved', 'Denied', 'Failed']) {
    if (old.status?.conditions?.some((condition) => condition.type === type) && !has(type))
      errors.push(forbidden('status.conditions', `updates may not remove a condition of type "${type}"`));
  }
  if (status?.certificate && status.certificate !== old.status?.certificate && !isPem(status.certificate, 'CERTIFICATE')) {
    errors.push(invalid('status.certificate', '<certificate data>', 'must contain at least one CERTIFICATE PEM block'));
  }
  return errors;
}
