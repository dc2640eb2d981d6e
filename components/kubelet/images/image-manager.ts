import { type ContainerRuntimeInterface, RuntimeError } from '../../../src/api/cri.ts';
import { parseImageReference } from '../../../src/api/image-reference.ts';
import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import { formatDuration } from '../../../src/api/time.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { Backoff } from '../backoff.ts';
import { IMAGE_BACK_OFF_MAX_MS, IMAGE_BACK_OFF_MS } from '../constants.ts';
import { fieldPathOf } from '../container/runtime.ts';
import { StartContainerError } from '../kuberuntime/start-error.ts';

interface ImageManagerParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly recorder: EventRecorder;
}

/** pkg/kubelet/images imageManager: makes sure that an image is there, one pull at a time. */
export class ImageManager {
  readonly #parts: ImageManagerParts;
  readonly #backOff = new Backoff(IMAGE_BACK_OFF_MS, IMAGE_BACK_OFF_MAX_MS);
  readonly #previousErrors = new Map<string, string>();
  /** pkg/kubelet/images serialImagePuller */
  #pulls: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(parts: ImageManagerParts) {
    this.#parts = parts;
  }

  /** pkg/kubelet/images EnsureImageExists: the image's id. @throws StartContainerError */
  async ensureImageExists(pod: Pod, container: Container): Promise<string> {
    const image = container.image ?? '';
    const reference = parseImageReference(image);
    if ('error' in reference) {
      const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${reference.error}`;
      this.#event(pod, container, { type: 'Warning', reason: 'InspectFailed', message });
      throw new StartContainerError('InvalidImageName', message);
    }
    const present = await this.#parts.runtime.imageStatus(image);
    if (present && container.imagePullPolicy !== 'Always') {
      this.#event(pod, container, { type: 'Normal', reason: 'Pulled', message: `Container image "${image}" already present on machine` });
      return present.id;
    }
    if (!present && container.imagePullPolicy === 'Never') {
      const message = `Container image "${image}" is not present with pull policy of Never`;
      this.#event(pod, container, { type: 'Warning', reason: 'ErrImageNeverPull', message });
      throw new StartContainerError('ErrImageNeverPull', message);
    }
    return this.#pullImage(pod, container, image);
  }

  /** The pod is gone: its back-off does not matter any more. */
  forget(uid: string): void {
    this.#backOff.forget(`${uid}_`);
    for (const key of this.#previousErrors.keys()) if (key.startsWith(`${uid}_`)) this.#previousErrors.delete(key);
  }

  async #pullImage(pod: Pod, container: Container, image: string): Promise<string> {
    const { simulation } = this.#parts.actor;
    const key = `${pod.metadata.uid}_${image}`;
    if (this.#backOff.isInBackOffSinceUpdate(key, simulation.now)) {
      const message = `Back-off pulling image "${image}"`;
      this.#event(pod, container, { type: 'Normal', reason: 'BackOff', message });
      const previous = this.#previousErrors.get(key);
      throw new StartContainerError('ImagePullBackOff', previous ? `${message}: ${previous}` : message, {
        slow: this.#backOff.atMaximum(key),
      });
    }
    this.#event(pod, container, { type: 'Normal', reason: 'Pulling', message: `Pulling image "${image}"` });
    const asked = simulation.now;
    try {
      const { pulled, startedAt } = await this.#serially(() => this.#parts.runtime.pullImage(image));
      const took = formatDuration(simulation.now - startedAt);
      const whole = formatDuration(simulation.now - asked);
      const message = `Successfully pulled image "${image}" in ${took} (${whole} including waiting). Image size: ${pulled.size} bytes.`;
      this.#event(pod, container, { type: 'Normal', reason: 'Pulled', message });
      this.#previousErrors.delete(key);
      return pulled.id;
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      this.#event(pod, container, { type: 'Warning', reason: 'Failed', message: `Failed to pull image "${image}": ${error.message}` });
      this.#previousErrors.set(key, `ErrImagePull: ${error.message}`);
      this.#backOff.next(key, simulation.now, simulation.now);
      throw new StartContainerError('ErrImagePull', error.message);
    }
  }

  async #serially<T>(pull: () => Promise<T>): Promise<{ pulled: T; startedAt: number }> {
    const before = this.#waiting > 0 ? this.#pulls : undefined;
    this.#waiting++;
    const run = async (): Promise<{ pulled: T; startedAt: number }> => {
      if (before) await before.catch(() => undefined);
      const startedAt = this.#parts.actor.simulation.now;
      return { pulled: await pull(), startedAt };
    };
    const result = run().finally(() => {
      this.#waiting--;
    });
    this.#pulls = result;
    return result;
  }

  #event(pod: Pod, container: Container, event: { type: 'Normal' | 'Warning'; reason: string; message: string }): void {
    this.#parts.recorder.event(pod, event.type, event.reason, event.message, { fieldPath: fieldPathOf(pod, container.name) });
  }
}
