import type { Ingress, IngressClass } from '../../src/api/kinds/networking-v1.ts';
import { labelSelectorAsSelector } from '../../src/api/label-selector.ts';
import { ingressclasses, ingresses, namespaces } from '../../src/api/resources.ts';
import type { CachedReader } from '../../src/client/cached-reader.ts';
import { containsFinalizer } from '../../src/client/finalizers.ts';
import { type IngressClassParams, ingressclassparams } from './api.ts';
import { INGRESS_CONTROLLER } from './manifests.ts';

const PREFIX = 'alb.ingress.kubernetes.io/';
const IMPLICIT_FINALIZER = 'ingress.k8s.aws/resources';
const EXPLICIT_FINALIZER = 'group.ingress.k8s.aws/';
const MAX_GROUP_NAME = 63;
const MAX_ORDER = 1000;

/** Ingresses that share a load balancer: those that name a group, which has no namespace, or one that names none. pkg/ingress GroupID */
export interface GroupId {
  readonly namespace: string;
  readonly name: string;
}

/** An Ingress that is to be served, with what its class says. */
export interface ClassifiedIngress {
  readonly ingress: Ingress;
  readonly params: IngressClassParams | undefined;
}

/** Why nobody knows to which group an Ingress belongs. */
export class GroupProblem extends Error {
  override name = 'GroupProblem';
  /** Its class cannot be read; otherwise the name of its group is no good. */
  readonly isOfClass: boolean;

  constructor(message: string, { isOfClass }: { readonly isOfClass: boolean }) {
    super(`invalid ingress ${isOfClass ? 'class' : 'group'}: ${message}`);
    this.isOfClass = isOfClass;
  }
}

/** pkg/ingress buildGroupFinalizer */
export function groupFinalizer({ namespace, name }: GroupId): string {
  return namespace ? IMPLICIT_FINALIZER : `${EXPLICIT_FINALIZER}${name}`;
}

/** Named groups that an Ingress belongs to, or has not left yet. */
export async function namedGroupsOf(ingress: Ingress, reader: CachedReader): Promise<GroupId[]> {
  const pending = (ingress.metadata.finalizers ?? []).flatMap((finalizer) =>
    finalizer.startsWith(EXPLICIT_FINALIZER) ? [finalizer.slice(EXPLICIT_FINALIZER.length)] : [],
  );
  const own = await groupOf(ingress, reader).catch((error: unknown) => {
    if (error instanceof GroupProblem) return undefined;
    throw error;
  });
  const names = new Set([...pending, ...(own && !own.id.namespace ? [own.id.name] : [])]);
  return [...names].map((name) => ({ namespace: '', name }));
}

/** defaultGroupLoader LoadGroupIDIfAny. @returns undefined for one that is not ours, or that is to go @throws GroupProblem */
export async function groupOf(
  ingress: Ingress,
  reader: CachedReader,
): Promise<{ readonly id: GroupId; readonly member: ClassifiedIngress } | undefined> {
  const { namespace = '', name = '', annotations = {}, deletionTimestamp } = ingress.metadata;
  if (deletionTimestamp) return undefined;
  const loaded = await classify(ingress, reader);
  if (!loaded) return undefined;
  const group = loaded.params?.spec?.group?.name ?? annotations[`${PREFIX}group.name`];
  return { id: group === undefined ? { namespace, name } : { namespace: '', name: checkedGroup(group) }, member: loaded };
}

/** By the annotation of before, or by its class. pkg/ingress classifyIngress, defaultClassLoader Load */
async function classify(ingress: Ingress, reader: CachedReader): Promise<ClassifiedIngress | undefined> {
  const annotation = ingress.metadata.annotations?.['kubernetes.io/ingress.class'];
  if (annotation !== undefined) return annotation === 'alb' ? { ingress, params: undefined } : undefined;
  const name = ingress.spec?.ingressClassName;
  if (name === undefined) return undefined;
  const ingressClass = await reader.get(ingressclasses, { name });
  if (!ingressClass) throw new GroupProblem(`IngressClass.networking.k8s.io "${name}" not found`, { isOfClass: true });
  if (ingressClass.spec?.controller !== INGRESS_CONTROLLER) return undefined;
  return { ingress, params: await paramsOf(ingressClass, ingress.metadata.namespace ?? '', reader) };
}

async function paramsOf(
  { metadata, spec }: IngressClass,
  namespace: string,
  reader: CachedReader,
): Promise<IngressClassParams | undefined> {
  const { parameters } = spec ?? {};
  if (!parameters) return undefined;
  const problem = (message: string): GroupProblem => new GroupProblem(message, { isOfClass: true });
  if (parameters.apiGroup !== ingressclassparams.group || parameters.kind !== ingressclassparams.kind)
    throw problem(`IngressClass ${metadata.name} references unknown parameters`);
  const { name } = parameters;
  const params = await reader.get(ingressclassparams, { name });
  if (!params) throw problem(`IngressClassParams.${ingressclassparams.group} "${name}" not found`);
  const { namespaceSelector } = params.spec ?? {};
  const labels = namespaceSelector && ((await reader.get(namespaces, { name: namespace }))?.metadata.labels ?? {});
  if (namespaceSelector && labels && !labelSelectorAsSelector(namespaceSelector).matches(labels))
    throw problem(`namespaceSelector of IngressClassParams ${name} mismatch`);
  return params;
}

/** pkg/ingress validateGroupName */
function checkedGroup(name: string): string {
  const problem = (message: string): GroupProblem => new GroupProblem(message, { isOfClass: false });
  if (!/^([a-z0-9][-a-z0-9.]*)?[a-z0-9]$/.test(name))
    throw problem(
      "groupName must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    );
  if (name.length > MAX_GROUP_NAME) throw problem(`groupName must be no more than ${MAX_GROUP_NAME} characters`);
  return name;
}

/** A group as it is now. */
export interface Group {
  readonly id: GroupId;
  /** In the order of their rules. */
  readonly members: readonly ClassifiedIngress[];
  /** What was a member and is none any more. */
  readonly inactive: readonly Ingress[];
}

/** defaultGroupLoader Load. @throws Error when a member has no class any more, so that its load balancer stays as it is */
export async function loadGroup(id: GroupId, reader: CachedReader): Promise<Group> {
  const own = id.namespace ? await reader.get(ingresses, id) : undefined;
  const candidates = id.namespace ? (own ? [own] : []) : await reader.list(ingresses);
  const members: ClassifiedIngress[] = [];
  const inactive: Ingress[] = [];
  for (const ingress of candidates) {
    const wasMember = containsFinalizer(ingress, groupFinalizer(id));
    try {
      const found = await groupOf(ingress, reader);
      if (found && found.id.namespace === id.namespace && found.id.name === id.name) members.push(found.member);
      else if (wasMember) inactive.push(ingress);
    } catch (error) {
      if (!(error instanceof GroupProblem)) throw error;
      if (!wasMember) continue;
      if (error.isOfClass) throw error;
      inactive.push(ingress);
    }
  }
  const ordered = members.map((member) => ({ member, order: orderOf(member.ingress), name: placeOf(member.ingress) }));
  ordered.sort((one, other) => one.order - other.order || (one.name < other.name ? -1 : 1));
  return { id, members: ordered.map(({ member }) => member), inactive };
}

class OrderProblem extends Error {
  override name = 'OrderProblem';
}

/** defaultGroupLoader sortGroupMembers */
function orderOf(ingress: Ingress): number {
  const text = ingress.metadata.annotations?.[`${PREFIX}group.order`];
  if (text === undefined) return 0;
  if (!/^[+-]?\d+$/.test(text)) throw new OrderProblem(`failed to load Ingress group order for ingress: ${placeOf(ingress)}`);
  if (Math.abs(Number(text)) > MAX_ORDER)
    throw new OrderProblem(
      `explicit Ingress group order must be within [-${MAX_ORDER}:${MAX_ORDER}], Ingress: ${placeOf(ingress)}, order: ${text}`,
    );
  return Number(text);
}

function placeOf({ metadata }: Ingress): string {
  return `${metadata.namespace}/${metadata.name}`;
}
