import type { FlowSchema, PriorityLevelConfiguration } from '../../../../src/api/kinds/flowcontrol-v1.ts';

/** kubernetes pkg/apis/flowcontrol/v1 SetDefaults_FlowSchemaSpec */
export function setDefaultsFlowSchema({ spec }: FlowSchema): void {
  if (spec && !spec.matchingPrecedence) spec.matchingPrecedence = 1000;
}

/** kubernetes pkg/apis/flowcontrol/v1 SetDefaults_LimitedPriorityLevelConfiguration and its siblings */
export function setDefaultsPriorityLevelConfiguration({ spec }: PriorityLevelConfiguration): void {
  if (spec?.exempt) {
    spec.exempt.nominalConcurrencyShares ??= 0;
    spec.exempt.lendablePercent ??= 0;
  }
  if (!spec?.limited) return;
  spec.limited.nominalConcurrencyShares ??= 30;
  spec.limited.lendablePercent ??= 0;
  const queuing = spec.limited.limitResponse?.queuing;
  if (!queuing) return;
  queuing.queues ??= 64;
  queuing.handSize ??= 8;
  queuing.queueLengthLimit ??= 50;
}
