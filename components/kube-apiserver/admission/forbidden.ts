import { type ApiStatusError, newForbidden } from '../../../src/api/status-error.ts';
import type { AdmissionAttributes } from './chain.ts';

/** apiserver pkg/admission.NewForbidden: names the object of the request, else what its name will begin with. */
export function admissionForbidden(attributes: AdmissionAttributes, why: string): ApiStatusError {
  const { metadata } = attributes.object ?? attributes.oldObject ?? {};
  const name = attributes.name || metadata?.name || metadata?.generateName || '';
  return newForbidden(attributes.context.resource, name || 'Unknown', why);
}
