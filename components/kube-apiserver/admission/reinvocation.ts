import type { KubernetesObject } from '../../../src/api/object.ts';

const NONE: readonly string[] = [];

/** Whether the mutating plugins have to run once more, and what of them. apiserver pkg/admission.ReinvocationContext with webhookReinvokeContext */
export class Reinvocation {
  /** Whether this is the second round. */
  again = false;
  /** Whether something was changed after a webhook had seen it. */
  wanted = false;
  #seen: readonly string[] = NONE;
  #due: readonly string[] = NONE;
  #lastOutput: KubernetesObject | undefined;

  /** A webhook that may be asked again has been asked. */
  asked(key: string): void {
    this.#seen = [...this.#seen, key];
  }

  /** The object is no longer what the webhooks so far have seen. */
  changed(): void {
    this.#due = [...this.#due, ...this.#seen];
    this.#seen = NONE;
  }

  /** Begins a pass over the webhooks: what other plugins have changed since the last one counts too. */
  begin(object: KubernetesObject | undefined): void {
    if (this.again && object !== this.#lastOutput) this.changed();
  }

  end(object: KubernetesObject | undefined): void {
    this.#lastOutput = object;
  }

  /** In the second round only webhooks are asked that saw an older object. */
  mayAsk(key: string): boolean {
    return !this.again || this.#due.includes(key);
  }
}
