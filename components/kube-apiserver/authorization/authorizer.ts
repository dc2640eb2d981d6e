import type { RequestInfo, UserInfo } from '../../../src/api/request.ts';

/** What an authorizer is asked. apiserver pkg/authorization/authorizer.Attributes */
export interface AuthorizationAttributes extends Omit<RequestInfo, 'isResourceRequest'> {
  readonly isResourceRequest: boolean;
  readonly user: UserInfo;
  /** The raw selectors of list, watch and deletecollection. */
  readonly fieldSelector?: string | undefined;
}

/** apiserver pkg/authorization/authorizer.Decision; `reason` says why, as far as there is something to say. */
export interface Decision {
  readonly decision: 'allow' | 'no-opinion';
  readonly reason: string;
}

export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): Decision;
}

/** Lets everybody do everything. apiserver pkg/authorization/authorizerfactory.NewAlwaysAllowAuthorizer */
export const allowAll: Authorizer = { authorize: () => ({ decision: 'allow', reason: '' }) };
