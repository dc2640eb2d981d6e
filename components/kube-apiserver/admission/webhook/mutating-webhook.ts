import { base64ToBytes } from '../../../../src/api/base64.ts';
import { decode } from '../../../../src/api/decode.ts';
import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import { applyJsonPatch } from '../../../../src/api/json-patch.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import { mutatingwebhookconfigurations } from '../../../../src/api/resources.ts';
import { schemaOfKind } from '../../../../src/api/schema.ts';
import { ApiStatusError } from '../../../../src/api/status-error.ts';
import { customResourceVersionOf } from '../../apiextensions/version-of.ts';
import type { Steps } from '../../steps.ts';
import { conversionOf } from '../../storage/conversion.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../chain.ts';
import { internalError } from '../internal-error.ts';
import { CallFailed, callWebhook } from './call-webhook.ts';
import { conditionsHold } from './match-conditions.ts';
import { versionToAsk } from './matching.ts';
import { versioned, withOwnersSeen } from './review.ts';
import { annotate, MutationNotes } from './webhook-annotations.ts';
import { type Hook, webhooksOf } from './webhook-configurations.ts';

/** Asks the mutating webhooks, one after the other. apiserver pkg/admission/plugin/webhook/mutating */
export const mutatingAdmissionWebhook: AdmissionPlugin = {
  name: 'MutatingAdmissionWebhook',
  connects: true,
  mutate: (attributes) => {
    const hooks = webhooksOf(attributes.context.server, mutatingwebhookconfigurations);
    return hooks.length === 0 ? undefined : dispatch(hooks, attributes);
  },
};

/** apiserver pkg/admission/plugin/webhook/mutating.mutatingDispatcher.Dispatch */
function* dispatch(hooks: readonly Hook[], attributes: AdmissionAttributes): Steps<KubernetesObject | undefined> {
  const { reinvocation } = attributes;
  let current = attributes;
  reinvocation?.begin(current.object);
  for (const [index, hook] of hooks.entries()) {
    const asked = versionToAsk(hook, current);
    if (!asked || !conditionsHold(hook, current, asked)) continue;
    if (reinvocation && !reinvocation.mayAsk(hook.key)) continue;
    const note = new MutationNotes(current.context, hook, { round: reinvocation?.again ? 1 : 0, index });
    const changed = yield* ask(note, current, asked);
    if (changed) {
      current = { ...current, object: changed };
      reinvocation?.changed();
      if (reinvocation) reinvocation.wanted = true;
    }
    if (hook.webhook.reinvocationPolicy === 'IfNeeded') reinvocation?.asked(hook.key);
  }
  reinvocation?.end(current.object);
  return current.object;
}

/** The object as the webhook changed it; undefined when it did not. */
function* ask(note: MutationNotes, attributes: AdmissionAttributes, asked: Resource): Steps<KubernetesObject | undefined> {
  const { hook } = note;
  try {
    const { patch, auditAnnotations = {} } = yield* callWebhook(hook, attributes, asked);
    annotate(attributes.context, hook, auditAnnotations);
    const changed = patch ? patched(hook, { attributes, asked, patch }) : undefined;
    note.answered(changed === undefined ? undefined : patch);
    return changed;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (hook.webhook.failurePolicy !== 'Ignore') throw internalError(error.message);
    note.failedOpen();
    return undefined;
  }
}

interface PatchToApply {
  readonly attributes: AdmissionAttributes;
  readonly asked: Resource;
  /** In base64. */
  readonly patch: string;
}

/** apiserver pkg/admission/plugin/webhook/mutating.mutatingDispatcher.callAttrMutatingHook, its end */
function patched(hook: Hook, { attributes, asked, patch }: PatchToApply): KubernetesObject | undefined {
  const steps = parsePatch(patch);
  if (steps.length === 0) return undefined;
  if (!attributes.object) {
    const name = JSON.stringify(hook.webhook.name);
    throw internalError(`admission webhook ${name} attempted to modify the object, which is not supported for this operation`);
  }
  const before = withOwnersSeen(attributes, versioned(attributes, attributes.object, asked) as KubernetesObject);
  const after = read(apply(before, steps), before, asked);
  return semanticDeepEqual(after, read(before, before, asked)) ? undefined : stored(attributes, after, asked);
}

function parsePatch(patch: string): unknown[] {
  try {
    return JSON.parse(new TextDecoder().decode(base64ToBytes(patch))) as unknown[];
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error));
  }
}

function apply(object: KubernetesObject, steps: unknown[]): unknown {
  try {
    return applyJsonPatch(object, steps);
  } catch (error) {
    if (error instanceof ApiStatusError) throw internalError(typeof error.cause === 'string' ? error.cause : error.message);
    throw error;
  }
}

/** Unknown fields are dropped, wrong types refused. */
function read(value: unknown, { apiVersion = '', kind = '' }: KubernetesObject, asked: Resource): KubernetesObject {
  const custom = kind === asked.kind ? customResourceVersionOf(asked) : undefined;
  if (custom) {
    const { object, error } = custom.decode(value);
    if (error !== undefined) throw internalError(error);
    return object;
  }
  const schema = schemaOfKind(apiVersion, kind);
  if (!schema) return value as KubernetesObject;
  const { object, error } = decode<KubernetesObject>(value, schema);
  if (error !== undefined) throw internalError(error);
  return object;
}

/** Defaults again, in the form in which the object is stored. */
function stored({ context, object }: AdmissionAttributes, changed: KubernetesObject, asked: Resource): KubernetesObject {
  if (object?.kind !== context.resource.kind) return changed;
  const conversion = asked === context.resource ? context.conversion : conversionOf(asked);
  const result = conversion ? conversion.toStorage(changed) : changed;
  return context.storage.strategy.setDefaults?.(result) ?? result;
}
