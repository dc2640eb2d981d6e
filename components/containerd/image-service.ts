import { type Image, RuntimeError } from '../../src/api/cri.ts';
import { type ImageReference, parseImageReference } from '../../src/api/image-reference.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { invariant } from '../../src/sim/invariant.ts';
import type { Random } from '../../src/sim/random.ts';
import { DEFAULT_IMAGE_SIZE, PULL_BASE_MS, PULL_BYTES_PER_MS, PULL_JITTER, PULL_NOT_FOUND_MS, PULL_REFUSED_MS } from './constants.ts';
import type { ImageStore, StoredImage } from './image-store.ts';
import { type ImageCatalogue, refusedPull } from './images.ts';
import type { Registries } from './registries.ts';

/** containerd's CRI ImageService: the images of one node. */
export class ImageService {
  readonly #actor: Actor;
  readonly #random: Random;
  readonly #store: ImageStore;
  readonly #catalogue: ImageCatalogue;
  readonly #registries: Registries | undefined;

  constructor(parts: { actor: Actor; random: Random; store: ImageStore; catalogue: ImageCatalogue; registries?: Registries | undefined }) {
    this.#actor = parts.actor;
    this.#random = parts.random;
    this.#store = parts.store;
    this.#catalogue = parts.catalogue;
    this.#registries = parts.registries;
  }

  /** Puts an image on the node without a pull, as when the machine was made from a disk image. */
  preload(name: string): void {
    const reference = parseImageReference(name);
    invariant(!('error' in reference), `an image name: ${name}`);
    this.#store.add(reference, this.#catalogue.find(reference));
  }

  imageStatus(name: string): Image | undefined {
    return this.#find(name)?.image;
  }

  list(): readonly Image[] {
    return this.#store.list();
  }

  remove(name: string): void {
    this.#store.remove(parse(name));
  }

  /** containerd pkg/cri/server PullImage */
  async pullImage(name: string): Promise<Image> {
    const reference = parse(name);
    const problem = this.#registries?.problemOf(reference);
    const outcome = problem === undefined ? this.#catalogue.pull(reference) : refusedPull(reference, problem);
    if ('error' in outcome) {
      await this.#actor.sleep(outcome.unreachable ? PULL_REFUSED_MS : PULL_NOT_FOUND_MS);
      this.#tell('image-pull-failed', outcome.error);
      throw new RuntimeError(outcome.error);
    }
    const { pull, size = DEFAULT_IMAGE_SIZE } = outcome.definition;
    const present = this.#store.find(reference) !== undefined;
    const usual = present ? PULL_BASE_MS : PULL_BASE_MS + size / PULL_BYTES_PER_MS;
    await this.#actor.sleep(pull?.ms ?? Math.round(this.#random.jitter(usual, PULL_JITTER)));
    const stored = this.#store.add(reference, outcome.definition);
    this.#tell('image-pulled', `image ${stored.name} pulled (${stored.image.size} bytes)`);
    return stored.image;
  }

  #find(name: string): StoredImage | undefined {
    const byId = this.#store.byId(name);
    if (byId) return byId;
    const reference = parseImageReference(name);
    return 'error' in reference ? undefined : this.#store.find(reference);
  }

  #tell(what: string, message: string): void {
    this.#actor.simulation.recordCause({ kind: 'runtime', what, message });
  }
}

function parse(name: string): ImageReference {
  const reference = parseImageReference(name);
  if ('error' in reference) throw new RuntimeError(`failed to parse image reference "${name}": ${reference.error}`);
  return reference;
}
