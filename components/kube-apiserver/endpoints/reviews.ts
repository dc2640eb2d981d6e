import type { SelfSubjectReview, TokenReview } from '../../../src/api/kinds/authentication-v1.ts';
import type { SelfSubjectRulesReview, SubjectAccessReview, SubjectAccessReviewSpec } from '../../../src/api/kinds/authorization-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse, UserInfo } from '../../../src/api/request.ts';
import { type FieldError, newBadRequest, newInvalid } from '../../../src/api/status-error.ts';
import { forbidden, invalid } from '../../../src/api/validation/field.ts';
import type { AuthorizationAttributes } from '../authorization/authorizer.ts';
import type { RequestContext } from '../request-context.ts';
import { bodyOf } from './body.ts';
import { decodeAs } from './decode-body.ts';

type Review = (context: RequestContext) => KubernetesObject;

/** Questions that are asked by POST and answered at once; nothing is stored. pkg/registry/authentication, pkg/registry/authorization */
const REVIEWS: Readonly<Record<string, Review>> = {
  selfsubjectreviews: (context) => {
    const review = read<SelfSubjectReview>(context);
    return {
      ...review,
      metadata: { ...review.metadata, creationTimestamp: context.server.now },
      status: { userInfo: userInfoOf(context.user) },
    } as KubernetesObject;
  },
  tokenreviews: (context) => {
    const review = read<TokenReview>(context);
    const { token = '', audiences } = review.spec ?? {};
    if (token === '') throw newBadRequest('token is required for TokenReview in authentication');
    const wanted = audiences?.length ? audiences : [context.server.tokens.issuer];
    const user = context.server.tokens.authenticate(token, wanted);
    const status = user
      ? {
          authenticated: true,
          user: userInfoOf(user),
          audiences: wanted.filter((audience) => context.server.tokens.audiencesOf(token).includes(audience)),
        }
      : { error: 'invalid bearer token' };
    return { ...review, status: user ? status : { ...status, user: {} } } as KubernetesObject;
  },
  subjectaccessreviews: (context) => accessReview(context, (spec) => ({ username: spec.user ?? '', groups: spec.groups ?? [] })),
  localsubjectaccessreviews: (context) => accessReview(context, (spec) => ({ username: spec.user ?? '', groups: spec.groups ?? [] })),
  selfsubjectaccessreviews: (context) => accessReview(context, () => context.user),
  selfsubjectrulesreviews: rulesReview,
};

/** The answer to a review; undefined when the resource is none. */
export function review(context: RequestContext): ApiResponse | undefined {
  const { group, resource } = context.resource;
  if (group !== 'authentication.k8s.io' && group !== 'authorization.k8s.io') return undefined;
  const answer = REVIEWS[resource];
  return answer && { code: 201, body: answer(context) };
}

function read<T extends KubernetesObject>(context: RequestContext): T {
  const { resource } = context;
  return decodeAs<T>(context, resource, bodyOf(context, resource));
}

function userInfoOf({ username, uid, groups, extra }: UserInfo): Record<string, unknown> {
  return { username, ...(uid ? { uid } : {}), ...(groups.length > 0 ? { groups } : {}), ...(extra ? { extra } : {}) };
}

function accessReview(context: RequestContext, userOf: (spec: SubjectAccessReviewSpec) => UserInfo): KubernetesObject {
  const object = read<SubjectAccessReview>(context);
  const spec = object.spec ?? {};
  const errors = [...accessReviewErrors(context, spec), ...metadataErrors(object)];
  if (errors.length > 0) throw newInvalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
  const { decision, reason } = context.server.authorizer.authorize(attributesOf(spec, userOf(spec)));
  const status = { allowed: decision === 'allow', ...(reason ? { reason } : {}) };
  return { ...object, metadata: { ...object.metadata }, status } as KubernetesObject;
}

function accessReviewErrors({ resource, namespace }: RequestContext, spec: SubjectAccessReviewSpec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  if (resourceAttributes && nonResourceAttributes) {
    const value = { Path: nonResourceAttributes.path ?? '', Verb: nonResourceAttributes.verb ?? '' };
    errors.push(invalid('spec.nonResourceAttributes', value, 'cannot be specified in combination with resourceAttributes'));
  }
  if (!resourceAttributes && !nonResourceAttributes) {
    errors.push(invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified'));
  }
  if (resource.kind !== 'SelfSubjectAccessReview' && !spec.user && !spec.groups?.length) {
    errors.push(invalid('spec.user', '', 'at least one of user or group must be specified'));
  }
  if (resource.kind !== 'LocalSubjectAccessReview') return errors;
  if (resourceAttributes && (resourceAttributes.namespace ?? '') !== namespace) {
    errors.push(invalid('spec.resourceAttributes.namespace', resourceAttributes.namespace ?? '', 'must match metadata.namespace'));
  }
  if (nonResourceAttributes) errors.push(forbidden('spec.nonResourceAttributes', 'disallowed on this kind of request'));
  return errors;
}

/** A review has no name: nothing of it is stored. */
function metadataErrors({ kind, metadata }: KubernetesObject): FieldError[] {
  const { namespace: _, ...rest } = metadata;
  const given = kind === 'LocalSubjectAccessReview' ? rest : metadata;
  return Object.keys(given).length > 0 ? [invalid('metadata', given, 'must be empty')] : [];
}

function attributesOf(
  { resourceAttributes: about, nonResourceAttributes }: SubjectAccessReviewSpec,
  user: UserInfo,
): AuthorizationAttributes {
  const none = { path: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
  if (!about)
    return { ...none, isResourceRequest: false, verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '', user };
  const { verb = '', group = '', version = '', resource = '', subresource = '', namespace = '', name = '' } = about;
  return { isResourceRequest: true, verb, path: '', group, version, resource, subresource, namespace, name, user };
}

function rulesReview(context: RequestContext): KubernetesObject {
  const object = read<SelfSubjectRulesReview>(context);
  const namespace = object.spec?.namespace ?? '';
  if (!namespace) throw newBadRequest('no namespace on request');
  const { rules, errors } = context.server.rulesFor(context.user, namespace);
  const resourceRules = rules
    .filter(({ resources }) => resources?.length)
    .map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames ? { resourceNames } : {}),
    }));
  const nonResourceRules = rules
    .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
    .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
  const node = context.user.groups.includes('system:nodes');
  const problems = [...errors, ...(node ? ['node authorizer does not support user rule resolution'] : [])];
  const status = {
    resourceRules,
    nonResourceRules,
    incomplete: problems.length > 0,
    ...(problems.length > 0 ? { evaluationError: problems.join(', ') } : {}),
  };
  return { ...object, metadata: { ...object.metadata }, spec: {}, status } as KubernetesObject;
}
