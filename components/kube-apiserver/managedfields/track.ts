import type { ManagedFieldsEntry } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { RequestContext } from '../request-context.ts';
import type { ServerCore } from '../server-core.ts';
import { FieldManager } from './field-manager.ts';
import { FieldOwners, ownersOf, submittedManagedFields, withoutManagedFields } from './field-owners.ts';
import { decodeManagedFields, type Managed, NOBODY } from './managed.ts';
import { resetFieldsFilter } from './reset-fields.ts';
import { TypeConverter } from './type-converter.ts';

const fieldManagers = new WeakMap<ServerCore, WeakMap<Resource, Map<string, FieldManager>>>();

/** The field manager of the endpoint that a request is for. */
export function fieldManagerOf({ server, resource, subresource }: RequestContext): FieldManager {
  let resources = fieldManagers.get(server);
  if (!resources) {
    resources = new WeakMap();
    fieldManagers.set(server, resources);
  }
  let known = resources.get(resource);
  if (!known) {
    known = new Map();
    resources.set(resource, known);
  }
  let fieldManager = known.get(subresource);
  if (!fieldManager) {
    const filter = resetFieldsFilter(resource, subresource, customResourceVersionOf(resource) !== undefined);
    fieldManager = new FieldManager({ types: new TypeConverter(server, resource), kind: resource, subresource, filter });
    known.set(subresource, fieldManager);
  }
  return fieldManager;
}

const SCALE: Resource = {
  group: 'autoscaling',
  version: 'v1',
  resource: 'scales',
  singular: 'scale',
  kind: 'Scale',
  namespaced: true,
  verbs: [],
  shortNames: [],
  categories: [],
  subresources: [],
};

const scaleManagers = new WeakMap<ServerCore, FieldManager>();

/** The field manager of `scale`, whose objects are Scales whatever the resource. */
export function scaleFieldManagerOf({ server }: RequestContext): FieldManager {
  let fieldManager = scaleManagers.get(server);
  if (!fieldManager) {
    fieldManager = new FieldManager({ types: new TypeConverter(server, SCALE), kind: SCALE, subresource: 'scale', filter: (set) => set });
    scaleManagers.set(server, fieldManager);
  }
  return fieldManager;
}

/** Who a write is by: what the query says, or how the client calls itself. apiserver pkg/endpoints/handlers.managerOrUserAgent */
export function managerOf({ request }: RequestContext): string {
  const { query, headers } = request;
  return query['fieldManager'] || nameOfUserAgent(headers.userAgent ?? '');
}

/** The last few names: most clients call themselves the same all the time. */
const names = new Map<string, string>();
const MAX_NAMES = 1000;

function nameOfUserAgent(userAgent: string): string {
  let name = names.get(userAgent);
  if (name === undefined) {
    name = prefixFromUserAgent(userAgent);
    if (names.size >= MAX_NAMES) names.clear();
    names.set(userAgent, name);
  }
  return name;
}

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const MAX_MANAGER_BYTES = 128;

/** apiserver pkg/endpoints/handlers.prefixFromUserAgent */
function prefixFromUserAgent(userAgent: string): string {
  const [prefix = ''] = userAgent.split('/');
  const printable = prefix.replace(UNPRINTABLE, '');
  let out = '';
  let bytes = 0;
  for (const char of printable) {
    bytes += char.length === 1 && char.charCodeAt(0) < 0x80 ? 1 : new TextEncoder().encode(char).length;
    if (bytes > MAX_MANAGER_BYTES) break;
    out += char;
  }
  return out;
}

/**
 * Notes that a request makes `next` out of `live`, before admission: fields that admission changes belong to nobody.
 * @param submitted the managedFields that the client has sent, if it has
 * @returns `next` without managedFields
 */
export function trackUpdate<T extends KubernetesObject>(
  context: RequestContext<T>,
  { live, next }: { readonly live: T | undefined; readonly next: T },
  submitted?: readonly ManagedFieldsEntry[],
): T {
  const fieldContext = context as unknown as RequestContext;
  const fieldManager = fieldManagerOf(fieldContext);
  const rewritten = submitted && context.subresource === '' ? readSubmitted(submitted) : undefined;
  const update = {
    before: rewritten ? FieldOwners.of(reconciled(fieldManager, rewritten, live)) : live && ownersOf(live),
    live,
    next,
    fieldManager,
    manager: managerOf(fieldContext),
    time: context.server.now,
  };
  const owners = FieldOwners.after(update, context.storage.etcd);
  if (fieldManager.types.asksWebhook) owners.workOut();
  context.owners.next = owners;
  return submittedManagedFields(next.metadata) ? { ...next, metadata: withoutManagedFields(next.metadata) } : next;
}

function reconciled(fieldManager: FieldManager, managed: Managed, live: KubernetesObject | undefined): Managed {
  return live ? fieldManager.reconcile(fieldManager.types.fromStorage(live), managed) : managed;
}

/**
 * What a client wants the owners to be: nobody, others, or (undefined) as they are, also when it cannot be read.
 * apimachinery pkg/util/managedfields/internal.decodeLiveOrNew
 */
export function readSubmitted(entries: readonly ManagedFieldsEntry[]): Managed | undefined {
  const [first] = entries;
  if (entries.length === 0 || (entries.length === 1 && first && Object.keys(first).length === 0)) return NOBODY;
  const managed = decodeManagedFields(entries);
  return managed && managed.fields.size > 0 ? managed : undefined;
}
