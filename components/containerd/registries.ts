import type { ImageReference } from '../../src/api/image-reference.ts';

/** Docker Hub's registry has another name than its images say. */
const HOSTS: Readonly<Record<string, string>> = { 'docker.io': 'registry-1.docker.io' };

/** The registries of the world, as far as it matters whether they answer. */
export class Registries {
  readonly #down = new Set<string>();

  /** @param domain as in names of images, e.g. `docker.io`; `*` for all */
  setDown(domain: string, down: boolean): void {
    if (down) this.#down.add(domain);
    else if (domain === '*') this.#down.clear();
    else this.#down.delete(domain);
  }

  /** What a request for the manifest of an image ends with, when its registry does not answer. */
  problemOf({ domain, path, digest, tag }: ImageReference): string | undefined {
    if (!this.#down.has(domain) && !this.#down.has('*')) return undefined;
    const host = HOSTS[domain] ?? domain;
    const url = `https://${host}/v2/${path}/manifests/${digest || tag}`;
    return `failed to do request: Head "${url}": dial tcp ${addressOf(host)}:443: connect: connection refused`;
  }
}

/** An address that stands for the host: one of those that are kept for documentation (192.0.2.0/24). */
function addressOf(host: string): string {
  let sum = 0;
  for (const character of host) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 254;
  return `192.0.2.${sum + 1}`;
}
