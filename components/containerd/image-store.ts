import type { Image } from '../../src/api/cri.ts';
import { formatImageReference, type ImageReference, repositoryOf } from '../../src/api/image-reference.ts';
import { Random } from '../../src/sim/random.ts';
import { DEFAULT_IMAGE_SIZE } from './constants.ts';
import type { ImageDefinition } from './image-definition.ts';

export interface StoredImage {
  readonly image: Image;
  readonly definition: ImageDefinition;
  /** e.g. `docker.io/library/nginx:1.27` */
  readonly name: string;
}

/** The images on one node. */
export class ImageStore {
  readonly #byName = new Map<string, StoredImage>();
  readonly #byId = new Map<string, StoredImage>();

  add(reference: ImageReference, definition: ImageDefinition): StoredImage {
    const name = formatImageReference(reference);
    const known = this.#byName.get(name);
    if (known) return known;
    const stored: StoredImage = { image: describe(reference, definition), definition, name };
    this.#byName.set(name, stored);
    this.#byId.set(stored.image.id, stored);
    return stored;
  }

  find(reference: ImageReference): StoredImage | undefined {
    return this.#byName.get(formatImageReference(reference));
  }

  byId(id: string): StoredImage | undefined {
    return this.#byId.get(id);
  }

  list(): readonly Image[] {
    return [...this.#byName.values()].map(({ image }) => image);
  }

  remove(reference: ImageReference): void {
    const name = formatImageReference(reference);
    const stored = this.#byName.get(name);
    if (!stored) return;
    this.#byName.delete(name);
    this.#byId.delete(stored.image.id);
  }
}

function describe(reference: ImageReference, definition: ImageDefinition): Image {
  const name = formatImageReference(reference);
  const digest = reference.digest || `sha256:${new Random(name).hex(64)}`;
  return {
    id: `sha256:${new Random(`config of ${name}`).hex(64)}`,
    repoTags: reference.tag ? [name] : [],
    repoDigests: [`${repositoryOf(reference)}@${digest}`],
    size: definition.size ?? DEFAULT_IMAGE_SIZE,
    ...(definition.user === undefined ? {} : { uid: definition.user }),
  };
}
