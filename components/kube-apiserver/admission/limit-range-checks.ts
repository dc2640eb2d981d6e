import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseQuantity, type Quantity } from '../../../src/api/quantity.ts';

interface Amounts {
  readonly requests: Readonly<Record<string, Quantity>>;
  readonly limits: Readonly<Record<string, Quantity>>;
}

/** What is wrong with a pod by a LimitRange. plugin/pkg/admission/limitranger.PodValidateLimitFunc */
export function podViolations(range: LimitRange, pod: Pod): string[] {
  const errors: string[] = [];
  for (const item of range.spec?.limits ?? []) {
    if (item.type === 'Container') {
      for (const container of [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])])
        errors.push(...violations(item, amountsOf(container.resources)));
    }
    if (item.type === 'Pod') errors.push(...violations(item, podAmounts(pod)));
  }
  return errors;
}

/** The same for a claim: only its request counts. plugin/pkg/admission/limitranger.PersistentVolumeClaimValidateLimitFunc */
export function claimViolations(range: LimitRange, claim: PersistentVolumeClaim): string[] {
  const { requests } = amountsOf({ requests: claim.spec?.resources?.requests ?? {} });
  const errors: string[] = [];
  for (const item of range.spec?.limits ?? []) {
    if (item.type !== 'PersistentVolumeClaim') continue;
    for (const [name, bound] of sorted(item.min)) errors.push(...atLeast({ name, item, bound }, requests[name], 'request'));
    for (const [name, bound] of sorted(item.max)) errors.push(...atMost({ name, item, bound }, requests[name], 'request'));
  }
  return errors;
}

interface Check {
  readonly name: string;
  readonly item: LimitRangeItem;
  readonly bound: string;
}

function violations(item: LimitRangeItem, { requests, limits }: Amounts): string[] {
  const amounts = (name: string): { request: Quantity | undefined; limit: Quantity | undefined } => ({
    request: requests[name],
    limit: limits[name],
  });
  return [
    ...sorted(item.min).flatMap(([name, bound]) => minimum({ name, item, bound }, amounts(name))),
    ...sorted(item.max).flatMap(([name, bound]) => maximum({ name, item, bound }, amounts(name))),
    ...sorted(item.maxLimitRequestRatio).flatMap(([name, bound]) => ratio({ name, item, bound }, amounts(name))),
  ];
}

function minimum(check: Check, { request, limit }: { request: Quantity | undefined; limit: Quantity | undefined }): string[] {
  const errors = atLeast(check, request, 'request');
  return errors.length > 0 || !limit ? errors : atLeast(check, limit, 'limit');
}

function maximum(check: Check, { request, limit }: { request: Quantity | undefined; limit: Quantity | undefined }): string[] {
  const errors = atMost(check, limit, 'limit');
  return errors.length > 0 || !request ? errors : atMost(check, request, 'request');
}

function atLeast({ name, item, bound }: Check, amount: Quantity | undefined, what: string): string[] {
  const head = `minimum ${name} usage per ${item.type} is ${bound}`;
  if (!amount) return [`${head}.  No ${what} is specified`];
  return amount.compare(parseQuantity(bound)) < 0 ? [`${head}, but ${what} is ${amount}`] : [];
}

function atMost({ name, item, bound }: Check, amount: Quantity | undefined, what: string): string[] {
  const head = `maximum ${name} usage per ${item.type} is ${bound}`;
  if (!amount) return [`${head}.  No ${what} is specified`];
  return amount.compare(parseQuantity(bound)) > 0 ? [`${head}, but ${what} is ${amount}`] : [];
}

function ratio({ name, item, bound }: Check, { request, limit }: { request: Quantity | undefined; limit: Quantity | undefined }): string[] {
  const head = `${name} max limit to request ratio per ${item.type} is ${bound}`;
  if (!request || request.approximate() === 0) return [`${head}, but no request is specified or request is 0`];
  if (!limit || limit.approximate() === 0) return [`${head}, but no limit is specified or limit is 0`];
  const observed = limit.approximate() / request.approximate();
  return observed > parseQuantity(bound).approximate() ? [`${head}, but provided ratio is ${observed.toFixed(6)}`] : [];
}

function amountsOf(resources: Container['resources']): Amounts {
  return { requests: quantities(resources?.requests), limits: quantities(resources?.limits) };
}

function quantities(list: Readonly<Record<string, string>> | undefined): Record<string, Quantity> {
  return Object.fromEntries(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
}

/** Containers and sidecars add up; an init container counts when it needs more than they do. plugin/pkg/admission/limitranger.podRequests */
function podAmounts(pod: Pod): Amounts {
  const own = amountsOf(pod.spec?.resources);
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const starters = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy !== 'Always');
  const running = [...(pod.spec?.containers ?? []), ...sidecars].map(({ resources }) => amountsOf(resources));
  const starting = starters.map(({ resources }) => amountsOf(resources));
  const total = (key: 'requests' | 'limits'): Record<string, Quantity> => {
    const sum: Record<string, Quantity> = {};
    for (const amounts of running) for (const [name, amount] of Object.entries(amounts[key])) sum[name] = sum[name]?.add(amount) ?? amount;
    for (const amounts of starting)
      for (const [name, amount] of Object.entries(amounts[key])) if (!sum[name] || sum[name].compare(amount) < 0) sum[name] = amount;
    return { ...sum, ...own[key] };
  };
  return { requests: total('requests'), limits: total('limits') };
}

function sorted(list: Readonly<Record<string, string>> | undefined): [string, string][] {
  return Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}
