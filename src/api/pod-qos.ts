import type { Pod, ResourceRequirements } from './kinds/core-v1.ts';
import { parseQuantity } from './quantity.ts';

const QOS_RESOURCES = ['cpu', 'memory'];

/** kubernetes pkg/apis/core/helper/qos ComputePodQOS */
export function computePodQOS({ spec }: Pick<Pod, 'spec'>): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  if (!spec) return 'BestEffort';
  const considered: (ResourceRequirements | undefined)[] =
    spec.resources && (spec.resources.limits || spec.resources.requests)
      ? [spec.resources]
      : [...spec.containers, ...(spec.initContainers ?? [])].map(({ resources }) => resources);
  let any = false;
  let guaranteed = true;
  for (const resources of considered) {
    const requests = positive(resources?.requests);
    const limits = positive(resources?.limits);
    if (requests.size > 0 || limits.size > 0) any = true;
    if (
      QOS_RESOURCES.some(
        (name) =>
          !limits.has(name) || (requests.has(name) && parseQuantity(requests.get(name)).compare(parseQuantity(limits.get(name))) !== 0),
      )
    )
      guaranteed = false;
    if (QOS_RESOURCES.some((name) => limits.has(name) && !requests.has(name))) guaranteed = false;
  }
  if (!any) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function positive(list: Record<string, string> | undefined): Map<string, string> {
  const out = new Map<string, string>();
  for (const name of QOS_RESOURCES) {
    const amount = list?.[name];
    if (amount !== undefined && parseQuantity(amount).nano > 0n) out.set(name, amount);
  }
  return out;
}
