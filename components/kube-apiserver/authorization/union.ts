import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';

const MASTERS = 'system:masters';
const SUPERUSER: Decision = { decision: 'allow', reason: '' };

/** Asks one authorizer after the other until one allows; the group system:masters may do anything. apiserver pkg/authorization/union */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize: (attributes: AuthorizationAttributes): Decision => {
      if (attributes.user.groups.includes(MASTERS)) return SUPERUSER;
      const reasons: string[] = [];
      for (const authorizer of authorizers) {
        const decision = authorizer.authorize(attributes);
        if (decision.decision === 'allow') return decision;
        if (decision.reason) reasons.push(decision.reason);
      }
      return { decision: 'no-opinion', reason: reasons.join('\n') };
    },
  };
}
