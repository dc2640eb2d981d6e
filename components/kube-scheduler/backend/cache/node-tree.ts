import type { Node } from '../../../../src/api/kinds/core-v1.ts';

const REGION = 'topology.kubernetes.io/region';
const ZONE = 'topology.kubernetes.io/zone';

/** component-helpers node/topology GetZoneKey: '' for a node without such labels. */
function zoneKeyOf(node: Node): string {
  const region = node.metadata.labels?.[REGION] ?? '';
  const zone = node.metadata.labels?.[ZONE] ?? '';
  return region || zone ? `${region}:\x00:${zone}` : '';
}

/** The names of all nodes by zone, in order of arrival: pkg/scheduler/backend/cache/node_tree.go nodeTree. */
export class NodeTree {
  /** Ordered by the first node of each zone. */
  readonly #zones = new Map<string, Set<string>>();
  readonly #zoneOf = new Map<string, string>();

  get size(): number {
    return this.#zoneOf.size;
  }

  add(node: Node): void {
    const name = node.metadata.name ?? '';
    const zone = zoneKeyOf(node);
    if (this.#zoneOf.get(name) === zone) return;
    this.remove(name);
    let names = this.#zones.get(zone);
    if (!names) {
      names = new Set();
      this.#zones.set(zone, names);
    }
    names.add(name);
    this.#zoneOf.set(name, zone);
  }

  remove(name: string): void {
    const zone = this.#zoneOf.get(name);
    if (zone === undefined) return;
    this.#zoneOf.delete(name);
    const names = this.#zones.get(zone);
    names?.delete(name);
    if (names?.size === 0) this.#zones.delete(zone);
  }

  /** The node is in the zone that its labels say. */
  has(node: Node): boolean {
    return this.#zoneOf.get(node.metadata.name ?? '') === zoneKeyOf(node);
  }

  /** The first node of each zone, then the second of each, and so on. */
  list(): string[] {
    const zones = [...this.#zones.values()].map((names) => [...names]);
    const list: string[] = [];
    for (let index = 0; list.length < this.#zoneOf.size; index++) {
      for (const names of zones) {
        const name = names[index];
        if (name !== undefined) list.push(name);
      }
    }
    return list;
  }
}
