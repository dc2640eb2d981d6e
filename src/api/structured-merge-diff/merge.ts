import { itemsByElement, knownElement } from './list-items.ts';
import type { PathElement } from './path-element.ts';
import { deduceType, type FieldType, type ListType, type MapType } from './schema.ts';

/** What a configuration makes of a live value; `undefined` stands for nothing. structured-merge-diff typed.mergingWalker with ruleKeepRHS */
export function mergeValues(live: unknown, config: unknown, declared: FieldType): unknown {
  if (config === undefined || live === config) return live;
  if (live === undefined) return mergeAs(live, config, deduceType(declared, config));
  const [left, right] = [deduceType(declared, live), deduceType(declared, config)];
  // Null leaves the form open, and takes the one of the live value.
  const type = config === null ? left : right;
  return mergeAs(live, config, type);
}

function mergeAs(live: unknown, config: unknown, { map, list }: FieldType): unknown {
  if (map) return mergeMaps(live, config, map);
  return list ? mergeLists(live, config, list) : config;
}

function mergeMaps(live: unknown, config: unknown, map: MapType): unknown {
  const left = recordOf(live);
  const right = recordOf(config);
  if (map.relationship === 'atomic' || (!hasKeys(left) && !hasKeys(right))) return config;
  const out: Record<string, unknown> = { ...left };
  for (const [name, value] of Object.entries(right ?? {})) {
    const type = map.field(name) ?? map.items;
    out[name] = type ? mergeValues(left?.[name], value, type) : value;
  }
  return out;
}

function mergeLists(live: unknown, config: unknown, list: ListType): unknown {
  const left = Array.isArray(live) ? (live as readonly unknown[]) : [];
  const right = Array.isArray(config) ? (config as readonly unknown[]) : [];
  if (list.relationship === 'atomic' || (left.length === 0 && right.length === 0)) return config;
  return new ListMerge(list, left, right).run();
}

/**
 * Items of the configuration come in its order; items that only the live list has keep their place after the ones that they followed.
 * structured-merge-diff typed.mergingWalker.visitListItems
 */
class ListMerge {
  readonly #list: ListType;
  readonly #live: readonly { element: PathElement; item: unknown }[];
  readonly #config: readonly { element: PathElement; item: unknown }[];
  readonly #liveItems: ReadonlyMap<PathElement, unknown[]>;
  readonly #configItems: ReadonlyMap<PathElement, unknown[]>;
  /** Elements that both sides have and that are not merged yet, in the order of the configuration. */
  readonly #shared: PathElement[];
  readonly #merged = new Set<PathElement>();
  readonly #out: unknown[] = [];

  constructor(list: ListType, live: readonly unknown[], config: readonly unknown[]) {
    const withElement = (item: unknown) => ({ element: knownElement(list, item), item });
    this.#list = list;
    this.#live = live.map(withElement);
    this.#config = config.map(withElement);
    this.#liveItems = itemsByElement(list, live);
    this.#configItems = itemsByElement(list, config);
    this.#shared = this.#config.map(({ element }) => element).filter((element) => this.#liveItems.has(element));
  }

  run(): unknown[] {
    let [left, right] = [0, 0];
    while (left < this.#live.length || right < this.#config.length) {
      const live = this.#live[left];
      const config = this.#config[right];
      if (live && config) {
        if (live.element === config.element) {
          this.#take(config);
          left++;
          right++;
          continue;
        }
        const [next] = this.#shared;
        if (this.#configItems.has(live.element) && next !== undefined && next !== live.element) {
          // Both have it, but another shared item comes first.
          left++;
          continue;
        }
      }
      if (live) {
        if (!this.#configItems.has(live.element)) {
          this.#out.push(live.item);
          left++;
          continue;
        }
        if (this.#merged.has(live.element)) left++;
      }
      if (config) {
        this.#take(config);
        right++;
      }
    }
    return this.#out;
  }

  /** Takes the next item of the configuration, merged with the live item of the same element. */
  #take({ element, item }: { element: PathElement; item: unknown }): void {
    const live = this.#liveItems.get(element);
    this.#out.push(mergeValues(live?.length === 1 ? live[0] : undefined, item, this.#list.items));
    this.#merged.add(element);
    if (this.#shared[0] === element) this.#shared.shift();
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function hasKeys(record: Readonly<Record<string, unknown>> | undefined): boolean {
  return record !== undefined && Object.keys(record).length > 0;
}
