/** Why the last attempt to start a container failed; shown by the next status that is computed. pkg/kubelet/reason_cache.go */
export interface StartFailure {
  /** e.g. `ErrImagePull`, `CrashLoopBackOff`, `CreateContainerConfigError`. */
  readonly reason: string;
  readonly message: string;
}

export class ReasonCache {
  readonly #failures = new Map<string, StartFailure>();

  set(uid: string, container: string, failure: StartFailure): void {
    this.#failures.set(`${uid}_${container}`, failure);
  }

  remove(uid: string, container: string): void {
    this.#failures.delete(`${uid}_${container}`);
  }

  forget(uid: string): void {
    for (const key of this.#failures.keys()) if (key.startsWith(`${uid}_`)) this.#failures.delete(key);
  }

  get(uid: string, container: string): StartFailure | undefined {
    return this.#failures.get(`${uid}_${container}`);
  }
}
