import type { ConfigMap, LimitRange, Namespace, ResourceQuota, Secret, ServiceAccount } from '../../api/kinds/core-v1.ts';
import type { PodDisruptionBudget } from '../../api/kinds/policy-v1.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { limitranges, resourcequotas, secrets } from '../../api/resources.ts';
import type { CommandContext } from '../command.ts';
import { type DescribeWriter, longTime } from './describe-writer.ts';
import { describeEvents } from './events.ts';

const sorted = <T>(map: Readonly<Record<string, T>> | undefined): [string, T][] =>
  Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

/** Name, namespace, labels, annotations: how most descriptions begin. */
export function describeHead(writer: DescribeWriter, { metadata }: KubernetesObject): void {
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Namespace', metadata.namespace);
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
}

/** The number of bytes that a base64 text stands for. */
function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}

/** kubectl pkg/describe ConfigMapDescriber */
export async function describeConfigMap(context: CommandContext, writer: DescribeWriter, map: ConfigMap): Promise<void> {
  describeHead(writer, map);
  writer.line(0, '\nData\n====');
  for (const [key, value] of sorted(map.data)) writer.line(0, `${key}:\n----\n${value}\n\n`.replace(/\n$/, ''));
  writer.line(0, '\nBinaryData\n====');
  for (const [key, value] of sorted(map.binaryData)) writer.line(0, `${key}: ${bytesOf(String(value))} bytes`);
  writer.line(0, '');
  await describeEvents(context, writer, map);
}

/** kubectl pkg/describe SecretDescriber: how much, but not what. */
export async function describeSecret(_context: CommandContext, writer: DescribeWriter, secret: Secret): Promise<void> {
  describeHead(writer, secret);
  writer.line(0, `\nType:\t${secret.type}\n\nData\n====`);
  for (const [key, value] of sorted(secret.data)) writer.field(0, key, `${bytesOf(String(value))} bytes`);
}

/** kubectl pkg/describe ServiceAccountDescriber */
export async function describeServiceAccount(context: CommandContext, writer: DescribeWriter, account: ServiceAccount): Promise<void> {
  describeHead(writer, account);
  const existing = new Set(
    (await context.client.resource(secrets).list({ namespace: account.metadata.namespace })).items.map(({ metadata }) => metadata.name),
  );
  const names = (list: readonly { name?: string }[] | undefined): string[] =>
    (list ?? []).map(({ name = '' }) => (existing.has(name) ? name : `${name} (not found)`));
  for (const [label, list] of [
    ['Image pull secrets', names(account.imagePullSecrets)],
    ['Mountable secrets', names(account.secrets)],
    ['Tokens', []],
  ] as const) {
    if (!list.length) writer.field(0, label, '<none>');
    for (const [index, name] of list.entries()) writer.line(0, `${index ? '' : `${label}:`}\t${name}`);
  }
  await describeEvents(context, writer, account);
}

/** kubectl pkg/describe NamespaceDescriber */
export async function describeNamespace(context: CommandContext, writer: DescribeWriter, namespace: Namespace): Promise<void> {
  const { metadata, status } = namespace;
  writer.field(0, 'Name', metadata.name);
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.field(0, 'Status', status?.phase);
  if (status?.conditions?.length) {
    writer.line(0, 'Conditions:\n  Type\tStatus\tLastTransitionTime\tReason\tMessage\n  ----\t------\t------------------\t------\t-------');
    for (const each of status.conditions)
      writer.line(1, `${each.type}\t${each.status}\t${longTime(each.lastTransitionTime)}\t${each.reason}\t${each.message}`);
  }
  const quotas = (await context.client.resource(resourcequotas).list({ namespace: metadata.name })).items;
  writer.line(0, quotas.length ? '\nResource Quotas' : '\nNo resource quota.');
  for (const quota of quotas) {
    writer.field(1, 'Name', quota.metadata.name);
    quotaScopes(writer, 1, quota);
    quotaTable(writer, 1, quota);
  }
  const ranges = (await context.client.resource(limitranges).list({ namespace: metadata.name })).items;
  writer.line(0, ranges.length ? '\nResource Limits' : '\nNo LimitRange resource.');
  if (ranges.length) limitHead(writer, 1);
  for (const range of ranges) limitRows(writer, 1, range);
}

/** kubectl pkg/describe helpTextForResourceQuotaScope */
const SCOPE_HELP: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort: 'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

function quotaScopes(writer: DescribeWriter, level: number, { spec }: ResourceQuota): void {
  const scopes = [...(spec?.scopes ?? [])].sort();
  if (scopes.length === 0) return;
  writer.field(level, 'Scopes', scopes.join(', '));
  for (const scope of scopes) if (SCOPE_HELP[scope]) writer.line(0, `${level ? '  ' : ' '}* ${SCOPE_HELP[scope]}`);
}

function quotaTable(writer: DescribeWriter, level: number, { status }: ResourceQuota): void {
  // Inside a namespace the rules are a dash shorter.
  const rule = level ? '---' : '----';
  writer.line(level, 'Resource\tUsed\tHard');
  writer.line(level, `--------\t${rule}\t${rule}`);
  for (const [name, hard] of sorted(status?.hard)) writer.line(level, `${name}\t${status?.used?.[name] ?? '0'}\t${hard}`);
}

/** kubectl pkg/describe ResourceQuotaDescriber */
export async function describeQuota(_context: CommandContext, writer: DescribeWriter, quota: ResourceQuota): Promise<void> {
  writer.field(0, 'Name', quota.metadata.name);
  writer.field(0, 'Namespace', quota.metadata.namespace);
  quotaScopes(writer, 0, quota);
  quotaTable(writer, 0, quota);
}

const LIMIT_HEAD = ['Type', 'Resource', 'Min', 'Max', 'Default Request', 'Default Limit', 'Max Limit/Request Ratio'];

function limitHead(writer: DescribeWriter, level: number): void {
  writer.line(level, LIMIT_HEAD.join('\t'));
  writer.line(level, ['----', '--------', '---', '---', '---------------', '-------------', '-----------------------'].join('\t'));
}

function limitRows(writer: DescribeWriter, level: number, { spec }: LimitRange): void {
  for (const limit of spec?.limits ?? []) {
    const names = new Set(
      sorted({ ...limit.min, ...limit.max, ...limit.default, ...limit.defaultRequest, ...limit.maxLimitRequestRatio }).map(
        ([name]) => name,
      ),
    );
    for (const name of names) {
      const cells = [limit.min, limit.max, limit.defaultRequest, limit.default, limit.maxLimitRequestRatio].map(
        (list) => list?.[name] ?? '-',
      );
      writer.line(level, [limit.type, name, ...cells].join('\t'));
    }
  }
}

/** kubectl pkg/describe LimitRangeDescriber */
export async function describeLimitRange(_context: CommandContext, writer: DescribeWriter, range: LimitRange): Promise<void> {
  writer.field(0, 'Name', range.metadata.name);
  writer.field(0, 'Namespace', range.metadata.namespace);
  limitHead(writer, 0);
  limitRows(writer, 0, range);
}

/** kubectl pkg/describe PodDisruptionBudgetDescriber */
export async function describeBudget(context: CommandContext, writer: DescribeWriter, budget: PodDisruptionBudget): Promise<void> {
  const { metadata, spec, status } = budget;
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Namespace', metadata.namespace);
  if (spec?.minAvailable !== undefined) writer.field(0, 'Min available', String(spec.minAvailable));
  else if (spec?.maxUnavailable !== undefined) writer.field(0, 'Max unavailable', String(spec.maxUnavailable));
  writer.field(0, 'Selector', spec?.selector ? labelSelectorAsSelector(spec.selector).toString() : '<unset>');
  writer.line(0, 'Status:');
  writer.field(2, 'Allowed disruptions', status?.disruptionsAllowed ?? 0);
  writer.field(2, 'Current', status?.currentHealthy ?? 0);
  writer.field(2, 'Desired', status?.desiredHealthy ?? 0);
  writer.field(2, 'Total', status?.expectedPods ?? 0);
  await describeEvents(context, writer, budget);
}
