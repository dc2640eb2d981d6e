import type { Container, Pod, ResourceQuota } from '../../../src/api/kinds/core-v1.ts';
import { parseQuantity, type Quantity } from '../../../src/api/quantity.ts';
import { matchesQuotaScopes } from '../../../src/api/quota-scopes.ts';
import { type Amounts, quotaUsage } from '../../../src/api/quota-usage.ts';
import { resourcequotas } from '../../../src/api/resources.ts';
import { loopbackWrite } from '../loopback.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';

const UNLIMITED = new Set([
  'bindings',
  'componentstatuses',
  'events',
  'localsubjectaccessreviews',
  'selfsubjectaccessreviews',
  'subjectaccessreviews',
  'tokenreviews',
]);
const COUNTED_ON_UPDATE = new Set(['services', 'persistentvolumeclaims', 'pods']);
/** Names that every container has to state when a quota limits them. */
const DEMANDED = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

/** apiserver pkg/admission/plugin/resourcequota. Everything happens at once here, so that requests need not wait for each other. */
export const resourceQuota: AdmissionPlugin = {
  name: 'ResourceQuota',
  validate: (attributes) => {
    const { context } = attributes;
    if (!context.namespace || !isCounted(attributes)) return undefined;
    const quotas = context.server.storage(resourcequotas).list(context.namespace);
    if (quotas.length > 0) checkQuotas(attributes, quotas);
    return undefined;
  },
};

function isCounted({ context, operation, object, oldObject }: AdmissionAttributes): boolean {
  const { resource, group } = context.resource;
  if (UNLIMITED.has(resource) || !object || operation === 'DELETE') return false;
  if (operation === 'CREATE') return context.subresource === '';
  if (group !== '' || !COUNTED_ON_UPDATE.has(resource)) return false;
  if (resource !== 'pods') return context.subresource === '';
  if (context.subresource === 'resize') return true;
  const deadline = (pod: Pod): boolean => pod.spec?.activeDeadlineSeconds !== undefined;
  return context.subresource === '' && deadline(object as Pod) !== deadline(oldObject as Pod);
}

function checkQuotas(attributes: AdmissionAttributes, quotas: readonly ResourceQuota[]): void {
  const { context, object, oldObject } = attributes;
  const { server, resource } = context;
  const kind = resource.kind;
  const used = quotaUsage(resource, object ?? { metadata: {} }, server.simulation.wallTime);
  const before = oldObject ? quotaUsage(resource, oldObject, server.simulation.wallTime) : {};
  const charges: { quota: ResourceQuota; used: Record<string, string> }[] = [];
  for (const quota of quotas) {
    const hard = quota.status?.hard ?? {};
    if (!object || !matchesQuotaScopes(quota, kind, object)) continue;
    if (kind === 'Pod') demandAmounts(attributes, quota, Object.keys(hard));
    const relevant = Object.keys(used).filter((name) => hard[name] !== undefined);
    if (relevant.length === 0) continue;
    const unknown = relevant.filter((name) => quota.status?.used?.[name] === undefined).sort();
    if (unknown.length > 0)
      throw admissionForbidden(attributes, `status unknown for quota: ${quota.metadata.name}, resources: ${unknown.join(',')}`);
    const delta = deltaOf(relevant, used, oldObject && matchesQuotaScopes(quota, kind, oldObject) ? before : {});
    refuseExcess(attributes, quota, delta);
    if (Object.keys(delta).length > 0) charges.push({ quota, used: charged(quota, delta) });
  }
  if (context.dryRun) return;
  for (const { quota, used: amounts } of charges) {
    const changed = { ...quota, status: { ...quota.status, used: amounts } };
    loopbackWrite(server, changed, { resource: resourcequotas, verb: 'update', subresource: 'status' });
  }
}

/** What the request adds; zeros and what it gives back do not count. */
function deltaOf(names: readonly string[], used: Amounts, before: Amounts): Record<string, Quantity> {
  const delta: Record<string, Quantity> = {};
  for (const name of names) {
    const now = used[name] as Quantity;
    const change = before[name] ? now.sub(before[name]) : now;
    if (change.compare(parseQuantity('0')) > 0) delta[name] = change;
  }
  return delta;
}

function refuseExcess(attributes: AdmissionAttributes, quota: ResourceQuota, delta: Readonly<Record<string, Quantity>>): void {
  const { hard = {}, used = {} } = quota.status ?? {};
  const exceeded = Object.keys(delta)
    .filter(
      (name) =>
        parseQuantity(used[name])
          .add(delta[name] as Quantity)
          .compare(parseQuantity(hard[name])) > 0,
    )
    .sort();
  if (exceeded.length === 0) return;
  const show = (amountOf: (name: string) => string | Quantity | undefined): string =>
    exceeded.map((name) => `${name}=${amountOf(name)}`).join(',');
  const requested = show((name) => delta[name]);
  const why = `exceeded quota: ${quota.metadata.name}, requested: ${requested}, used: ${show((name) => used[name])}, limited: ${show((name) => hard[name])}`;
  throw admissionForbidden(attributes, why);
}

/** A quota of cpu or memory wants every container to say what it needs. pkg/quota/v1/evaluator/core.podEvaluator.Constraints */
function demandAmounts(attributes: AdmissionAttributes, quota: ResourceQuota, names: readonly string[]): void {
  const { spec } = attributes.object as Pod;
  if (spec?.resources && Object.keys(spec.resources).length > 0) return;
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const missing: string[] = [];
  for (const name of names.filter((other) => DEMANDED.has(other)).sort()) {
    const lacking = containers.filter((container) => !states(container, name)).map((container) => container.name);
    if (lacking.length > 0) missing.push(`${name} for: ${lacking.sort().join(',')}`);
  }
  if (missing.length > 0) throw admissionForbidden(attributes, `failed quota: ${quota.metadata.name}: must specify ${missing.join('; ')}`);
}

function states({ resources }: Container, name: string): boolean {
  const [key, plain] = name.startsWith('limits.')
    ? (['limits', name.slice(7)] as const)
    : (['requests', name.replace(/^requests\./, '')] as const);
  return resources?.[key]?.[plain] !== undefined;
}

function charged(quota: ResourceQuota, delta: Readonly<Record<string, Quantity>>): Record<string, string> {
  const used: Record<string, string> = { ...quota.status?.used };
  for (const [name, amount] of Object.entries(delta)) used[name] = parseQuantity(used[name]).add(amount).toString();
  return used;
}
