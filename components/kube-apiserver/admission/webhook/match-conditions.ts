import type { Resource } from '../../../../src/api/resource.ts';
import type { AdmissionAttributes } from '../chain.ts';
import type { Hook } from './webhook-configurations.ts';

/** Whether the match conditions of a webhook hold. apiserver pkg/admission/plugin/webhook/matchconditions */
export function conditionsHold({ webhook }: Hook, _attributes: AdmissionAttributes, _asked: Resource): boolean {
  return !webhook.matchConditions?.length;
}
