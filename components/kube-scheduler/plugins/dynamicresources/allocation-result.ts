import { deepEqual } from '../../../../src/api/deep-equal.ts';
import type { NodeSelector, NodeSelectorRequirement } from '../../../../src/api/kinds/core-v1.ts';
import type { AllocationResult, DeviceAllocationConfiguration, ResourceClaim } from '../../../../src/api/kinds/resource-v1.ts';
import type { Offer } from './pools.ts';
import type { Alternative } from './requests.ts';

/** A device that was chosen, and for what. */
export interface Choice {
  readonly claim: string;
  readonly alternative: Alternative;
  readonly offer: Offer;
}

/** What the claim's status will say. `alternatives`: the chosen one of each request. */
export function allocationResultOf(
  claim: ResourceClaim,
  choices: readonly Choice[],
  alternatives: readonly Alternative[],
): AllocationResult {
  const results = choices.map(({ alternative: { name, adminAccess }, offer: { slice, device } }) => ({
    request: name,
    driver: slice.spec.driver,
    pool: slice.spec.pool.name,
    device: device.name,
    ...(adminAccess === undefined ? {} : { adminAccess }),
  }));
  const config = configOf(claim, alternatives);
  const nodeSelector = createNodeSelector(choices);
  return { devices: { results, ...(config.length ? { config } : {}) }, ...(nodeSelector ? { nodeSelector } : {}) };
}

/** First what classes say, then what the claim does; what is for alternatives that were not taken is left out. */
function configOf(claim: ResourceClaim, alternatives: readonly Alternative[]): DeviceAllocationConfiguration[] {
  const taken = new Set(alternatives.flatMap(({ name }) => [name, name.split('/')[0] ?? '']));
  const ofClasses = alternatives.flatMap((one) => (one.class?.spec.config ?? []).map((config) => ({ source: 'FromClass', ...config })));
  const ofClaim = (claim.spec.devices?.config ?? []).filter(
    ({ requests = [] }) => requests.length === 0 || requests.some((name) => taken.has(name)),
  );
  return [...ofClasses, ...ofClaim.map((config) => ({ source: 'FromClaim', ...config }))];
}

/** allocator.createNodeSelector: where all devices can be reached; absent for everywhere. */
function createNodeSelector(choices: readonly Choice[]): NodeSelector | undefined {
  const fields: NodeSelectorRequirement[] = [];
  const expressions: NodeSelectorRequirement[] = [];
  for (const { offer } of choices) {
    const { nodeName, nodeSelector } = offer.slice.spec;
    if (nodeName) return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }] };
    const [term] = nodeSelector?.nodeSelectorTerms ?? [];
    addMissing(fields, term?.matchFields);
    addMissing(expressions, term?.matchExpressions);
  }
  if (fields.length + expressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [
      { ...(expressions.length ? { matchExpressions: expressions } : {}), ...(fields.length ? { matchFields: fields } : {}) },
    ],
  };
}

function addMissing(to: NodeSelectorRequirement[], from: readonly NodeSelectorRequirement[] = []): void {
  for (const one of from) if (!to.some((other) => deepEqual(one, other))) to.push(one);
}
