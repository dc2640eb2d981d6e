import type { Resource } from '../../../../src/api/resource.ts';
import { validatingwebhookconfigurations } from '../../../../src/api/resources.ts';
import type { Steps } from '../../steps.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../chain.ts';
import { internalError } from '../internal-error.ts';
import { CallFailed, callWebhook } from './call-webhook.ts';
import { conditionsHold } from './match-conditions.ts';
import { versionToAsk } from './matching.ts';
import { annotate } from './webhook-annotations.ts';
import { type Hook, webhooksOf } from './webhook-configurations.ts';

/** Asks the validating webhooks. apiserver pkg/admission/plugin/webhook/validating */
export const validatingAdmissionWebhook: AdmissionPlugin = {
  name: 'ValidatingAdmissionWebhook',
  connects: true,
  validate: (attributes) => {
    const hooks = webhooksOf(attributes.context.server, validatingwebhookconfigurations);
    return hooks.length === 0 ? undefined : dispatch(hooks, attributes);
  },
};

/** apiserver pkg/admission/plugin/webhook/validating.validatingDispatcher.Dispatch; here they are asked one after the other. */
function* dispatch(hooks: readonly Hook[], attributes: AdmissionAttributes): Steps<void> {
  for (const [index, hook] of hooks.entries()) {
    const asked = versionToAsk(hook, attributes);
    if (asked && conditionsHold(hook, attributes, asked)) yield* ask(hook, attributes, { asked, index });
  }
}

function* ask(hook: Hook, attributes: AdmissionAttributes, { asked, index }: { asked: Resource; index: number }): Steps<void> {
  try {
    const { auditAnnotations = {} } = yield* callWebhook(hook, attributes, asked);
    annotate(attributes.context, hook, auditAnnotations);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (hook.webhook.failurePolicy !== 'Ignore') throw internalError(error.message);
    attributes.context.stages.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, hook.webhook.name);
  }
}
