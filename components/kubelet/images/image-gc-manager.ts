import { type ContainerRuntimeInterface, type Image, RuntimeError } from '../../../src/api/cri.ts';
import { parseDuration } from '../../../src/api/time.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import type { KubeletConfiguration } from '../apis/config/kubelet-configuration.ts';
import { IMAGE_GC_MS } from '../constants.ts';

interface ImageGcParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly config: KubeletConfiguration;
  readonly nodeEvent: (reason: string, message: string) => void;
}

interface ImageRecord {
  readonly image: Image;
  readonly firstDetected: number;
  lastUsed: number;
}

/** KubeletConfiguration imageGCHighThresholdPercent, imageGCLowThresholdPercent, imageMinimumGCAge */
const HIGH_PERCENT = 85;
const LOW_PERCENT = 80;
const MINIMUM_AGE_MS = 120_000;

/** pkg/kubelet/images realImageGCManager: when the disk is nearly full, images that nobody uses are removed, those first that were not used for longest. */
export class ImageGcManager {
  readonly #parts: ImageGcParts;
  readonly #records = new Map<string, ImageRecord>();

  constructor(parts: ImageGcParts) {
    this.#parts = parts;
  }

  /** Goes on for ever. */
  async run(): Promise<void> {
    for (;;) {
      await this.#parts.actor.sleep(IMAGE_GC_MS, 'background');
      await this.#unlessDown(() => this.#garbageCollect());
    }
  }

  /** pkg/kubelet/images DeleteUnusedImages: all of them, now. */
  deleteUnusedImages(): Promise<void> {
    return this.#unlessDown(async () => void (await this.#freeSpace(Number.POSITIVE_INFINITY, 0)));
  }

  /** pkg/kubelet/images GarbageCollect */
  async #garbageCollect(): Promise<void> {
    const { config, nodeEvent, runtime } = this.#parts;
    const { diskCapacityBytes: capacity, diskAvailableBytes: available } = await runtime.nodeStats();
    const used = 100 - Math.floor((available * 100) / capacity);
    await this.#detectImages();
    if (used < (config.imageGCHighThresholdPercent ?? HIGH_PERCENT)) return;
    const wanted = Math.floor((capacity * (100 - (config.imageGCLowThresholdPercent ?? LOW_PERCENT))) / 100) - available;
    const freed = await this.#freeSpace(wanted, parseDuration(config.imageMinimumGCAge ?? '') ?? MINIMUM_AGE_MS);
    if (freed < wanted)
      nodeEvent(
        'FreeDiskSpaceFailed',
        `Failed to garbage collect required amount of images. Attempted to free ${wanted} bytes, but only found ${freed} bytes eligible to free.`,
      );
  }

  /** pkg/kubelet/images freeSpace: how many bytes it came to. */
  async #freeSpace(wanted: number, minimumAgeMs: number): Promise<number> {
    const { actor, runtime } = this.#parts;
    const inUse = await this.#detectImages();
    const { now } = actor.simulation;
    const unused = [...this.#records.values()].filter(({ image }) => !inUse.has(image.id));
    unused.sort((a, b) => a.lastUsed - b.lastUsed || a.firstDetected - b.firstDetected);
    let freed = 0;
    for (const { image, firstDetected } of unused) {
      if (freed >= wanted) break;
      if (now - firstDetected < minimumAgeMs) continue;
      for (const name of image.repoTags) await runtime.removeImage(name);
      this.#records.delete(image.id);
      freed += image.size;
      const message = `Removing image to free bytes: ${image.repoTags[0] ?? image.id} (${image.size} bytes)`;
      actor.simulation.trace.record({ kind: 'runtime', what: 'image-removed', message });
    }
    return freed;
  }

  /** pkg/kubelet/images detectImages: the ids of images that containers have, also dead ones. */
  async #detectImages(): Promise<ReadonlySet<string>> {
    const { actor, runtime } = this.#parts;
    const images = await runtime.listImages();
    const names = new Set((await runtime.listPods()).flatMap(({ containers }) => containers.map(({ image }) => image)));
    const { now } = actor.simulation;
    const inUse = new Set<string>();
    for (const image of images) {
      const record = this.#records.get(image.id) ?? { image, firstDetected: now, lastUsed: 0 };
      this.#records.set(image.id, record);
      if (!image.repoTags.some((name) => names.has(name))) continue;
      inUse.add(image.id);
      record.lastUsed = now;
    }
    const present = new Set(images.map(({ id }) => id));
    for (const id of this.#records.keys()) if (!present.has(id)) this.#records.delete(id);
    return inUse;
  }

  async #unlessDown(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ActorUnavailable) && !(error instanceof RuntimeError)) throw error;
    }
  }
}
