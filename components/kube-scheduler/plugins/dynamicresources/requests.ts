import type {
  DeviceClass,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
} from '../../../../src/api/kinds/resource-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';

/** One way to fulfil a request. */
export interface Alternative {
  /** `request`, or `request/subrequest`. */
  readonly name: string;
  readonly class: DeviceClass | undefined;
  readonly selectors: readonly DeviceSelector[];
  /** How many devices; `All` that match. */
  readonly count: number | 'All';
  /** Devices that others use may be given as well. */
  readonly adminAccess: boolean | undefined;
}

/** A request of a claim, with its alternatives in order of preference: structured requestData. */
export interface Request {
  /** `namespace/name` */
  readonly claim: string;
  readonly name: string;
  readonly alternatives: readonly Alternative[];
}

type ClassOf = (name: string) => DeviceClass | undefined;

export function requestsOf(claim: ResourceClaim, classOf: ClassOf): Request[] {
  return (claim.spec.devices?.requests ?? []).map((request) => ({
    claim: keyOf(claim),
    name: request.name,
    alternatives: classedRequestsOf(request).map(({ name, one }) => alternativeOf(name, one, classOf)),
  }));
}

/** What a request names classes for: itself, or each of its alternatives. */
export function classedRequestsOf(
  request: DeviceRequest,
): { readonly name: string; readonly one: ExactDeviceRequest | DeviceSubRequest }[] {
  if (request.exactly) return [{ name: request.name, one: request.exactly }];
  return (request.firstAvailable ?? []).map((one) => ({ name: `${request.name}/${one.name}`, one }));
}

function alternativeOf(name: string, one: ExactDeviceRequest | DeviceSubRequest, classOf: ClassOf): Alternative {
  return {
    name,
    class: classOf(one.deviceClassName),
    selectors: one.selectors ?? [],
    count: one.allocationMode === 'All' ? 'All' : (one.count ?? 1),
    adminAccess: 'adminAccess' in one ? one.adminAccess : undefined,
  };
}
