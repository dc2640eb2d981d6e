import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { isSidecar } from '../container/runtime.ts';

/** Resource name to amount: cpu in millicores, all else in whole units. */
export type PodRequest = ReadonlyMap<string, number>;

/** component-helpers resource PodRequests: the larger of the containers' sum and the largest init container, with sidecars counted to both; overhead on top. */
export function podRequest(pod: Pod): PodRequest {
  const sum = new Map<string, number>();
  for (const container of pod.spec?.containers ?? []) addAll(sum, requestsOf(container));
  const sidecars = new Map<string, number>();
  const peak = new Map<string, number>();
  for (const container of pod.spec?.initContainers ?? []) {
    const own = requestsOf(container);
    if (isSidecar(container)) {
      addAll(sum, own);
      addAll(sidecars, own);
      raiseAll(peak, sidecars);
    } else {
      const here = new Map(sidecars);
      addAll(here, own);
      raiseAll(peak, here);
    }
  }
  raiseAll(sum, peak);
  for (const [name, quantity] of Object.entries(pod.spec?.resources?.requests ?? {})) sum.set(name, amountOf(name, quantity));
  addAll(sum, new Map(Object.entries(pod.spec?.overhead ?? {}).map(([name, quantity]) => [name, amountOf(name, quantity)])));
  return sum;
}

function requestsOf(container: Container): PodRequest {
  const requests = container.resources?.requests;
  if (!requests) return NONE;
  return new Map(Object.entries(requests).map(([name, quantity]) => [name, amountOf(name, quantity)]));
}

const NONE: PodRequest = new Map();

const amountOf = (name: string, quantity: string): number =>
  name === 'cpu' ? parseQuantity(quantity).milliValue() : parseQuantity(quantity).value();

function addAll(into: Map<string, number>, amounts: PodRequest): void {
  for (const [name, amount] of amounts) into.set(name, (into.get(name) ?? 0) + amount);
}

function raiseAll(into: Map<string, number>, amounts: PodRequest): void {
  for (const [name, amount] of amounts) into.set(name, Math.max(into.get(name) ?? 0, amount));
}
