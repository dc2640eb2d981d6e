import { base64ToBytes } from '../../../../src/api/base64.ts';
import type { RequestContext } from '../../request-context.ts';
import type { Hook } from './webhook-configurations.ts';

/** What a webhook wants to be read in the audit log, under its name. */
export function annotate({ stages }: RequestContext, { webhook }: Hook, annotations: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(annotations)) stages.annotate(`${webhook.name}/${key}`, value);
}

const MUTATION = 'mutation.webhook.admission.k8s.io/';
const PATCH = 'patch.webhook.admission.k8s.io/';

/** What the audit log is told of one call of a mutating webhook. apiserver pkg/admission/plugin/webhook/mutating webhookAnnotator */
export class MutationNotes {
  readonly hook: Hook;
  readonly #context: RequestContext;
  readonly #place: string;

  constructor(context: RequestContext, hook: Hook, { round, index }: { readonly round: number; readonly index: number }) {
    this.#context = context;
    this.hook = hook;
    this.#place = `round_${round}_index_${index}`;
  }

  /** @param patch in base64, when it changed the object */
  answered(patch: string | undefined): void {
    const { configuration, webhook } = this.hook;
    const about = { configuration, webhook: webhook.name };
    const { stages } = this.#context;
    stages.annotate(MUTATION + this.#place, JSON.stringify({ ...about, mutated: patch !== undefined }));
    if (patch === undefined) return;
    const steps = JSON.parse(new TextDecoder().decode(base64ToBytes(patch))) as unknown;
    stages.annotate(PATCH + this.#place, JSON.stringify({ ...about, patch: steps, patchType: 'JSONPatch' }));
  }

  /** It could not be asked, and that does not count. */
  failedOpen(): void {
    this.#context.stages.annotate(`failed-open.${MUTATION}${this.#place}`, this.hook.webhook.name);
  }
}
