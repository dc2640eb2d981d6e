import type { Service } from '../../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../../src/api/kinds/discovery-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';

export const LABEL_SERVICE_NAME = 'kubernetes.io/service-name';
const DELETION_EXPECTED = -1;

/** `namespace/name` of the Service that a slice says it belongs to. endpointslice util ServiceControllerKey */
export function serviceControllerKey(slice: EndpointSlice): string | undefined {
  const name = slice.metadata.labels?.[LABEL_SERVICE_NAME];
  return name ? `${slice.metadata.namespace}/${name}` : undefined;
}

/**
 * Remembers the generations of slices that this controller wrote, to tell its own changes from those of others and to notice a cache that lags behind.
 * endpointslice util/endpointslice_tracker.go EndpointSliceTracker
 */
export class EndpointSliceTracker {
  readonly #generationsByService = new Map<string, Map<string, number>>();

  has(slice: EndpointSlice): boolean {
    return this.#generations(slice)?.has(uidOf(slice)) ?? false;
  }

  /** Whether the slice was changed by somebody else. */
  shouldSync(slice: EndpointSlice): boolean {
    return this.#generations(slice)?.get(uidOf(slice)) !== generationOf(slice);
  }

  /** Whether the cache has yet to see what this controller wrote last. */
  staleSlices(service: Service, slices: readonly EndpointSlice[]): boolean {
    const generations = this.#generationsByService.get(keyOf(service));
    if (!generations) return false;
    const provided = new Set<string>();
    for (const slice of slices) {
      const uid = uidOf(slice);
      provided.add(uid);
      const generation = generations.get(uid);
      if (generation !== undefined && (generation === DELETION_EXPECTED || generation > generationOf(slice))) return true;
    }
    for (const [uid, generation] of generations) if (generation !== DELETION_EXPECTED && !provided.has(uid)) return true;
    return false;
  }

  update(slice: EndpointSlice): void {
    this.#set(slice, generationOf(slice));
  }

  expectDeletion(slice: EndpointSlice): void {
    this.#set(slice, DELETION_EXPECTED);
  }

  /** Forgets the slice; false when this controller did not delete it. */
  handleDeletion(slice: EndpointSlice): boolean {
    const generations = this.#generations(slice);
    const generation = generations?.get(uidOf(slice));
    generations?.delete(uidOf(slice));
    return generation === undefined || generation === DELETION_EXPECTED;
  }

  deleteService(key: string): void {
    this.#generationsByService.delete(key);
  }

  #generations(slice: EndpointSlice): Map<string, number> | undefined {
    return this.#generationsByService.get(serviceControllerKey(slice) ?? '');
  }

  #set(slice: EndpointSlice, generation: number): void {
    const key = serviceControllerKey(slice) ?? '';
    const generations = this.#generationsByService.get(key) ?? new Map<string, number>();
    this.#generationsByService.set(key, generations);
    generations.set(uidOf(slice), generation);
  }
}

const uidOf = (slice: EndpointSlice): string => slice.metadata.uid ?? '';
const generationOf = (slice: EndpointSlice): number => slice.metadata.generation ?? 0;
