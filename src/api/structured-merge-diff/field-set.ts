import { comparePathElements, type Path, type PathElement } from './path-element.ts';
import type { FieldType } from './schema.ts';

const NO_MEMBERS: ReadonlySet<PathElement> = new Set();
const NO_CHILDREN: ReadonlyMap<PathElement, FieldSet> = new Map();

/**
 * A set of places in an object. A place that is a member says nothing of the places below it. Immutable.
 * structured-merge-diff fieldpath.Set
 */
export class FieldSet {
  static #empty: FieldSet | undefined;
  readonly members: ReadonlySet<PathElement>;
  /** None of them is empty. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;

  private constructor(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>) {
    this.members = members;
    this.children = children;
  }

  static get EMPTY(): FieldSet {
    FieldSet.#empty ??= new FieldSet(NO_MEMBERS, NO_CHILDREN);
    return FieldSet.#empty;
  }

  /** Takes over both collections: nobody may change them afterwards. */
  static of(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
    return members.size === 0 && children.size === 0 ? FieldSet.EMPTY : new FieldSet(members, children);
  }

  static ofPaths(paths: Iterable<Path>): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  has(path: Path): boolean {
    const last = path.at(-1);
    if (last === undefined) return false;
    let set: FieldSet | undefined = this;
    for (const element of path.slice(0, -1)) set = set?.children.get(element);
    return set?.members.has(last) ?? false;
  }

  /** What is below one element. */
  withPrefix(element: PathElement): FieldSet {
    return this.children.get(element) ?? FieldSet.EMPTY;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || other === this) return this;
    if (this.isEmpty) return other;
    let members: Set<PathElement> | undefined;
    for (const element of other.members) {
      if (this.members.has(element)) continue;
      members ??= new Set(this.members);
      members.add(element);
    }
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, child] of other.children) {
      const own = this.children.get(element);
      const joined = own ? own.union(child) : child;
      if (joined === own) continue;
      children ??= new Map(this.children);
      children.set(element, joined);
    }
    return members || children ? FieldSet.of(members ?? this.members, children ?? this.children) : this;
  }

  intersection(other: FieldSet): FieldSet {
    if (other.#size < this.#size) return other.intersection(this);
    return this.#combine(other, { member: (inOther) => inOther, child: (own, theirs) => own.intersection(theirs), alone: false });
  }

  /** The places that are not members of the other set, whatever that has below or above them. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty || !this.#meets(other)) return this;
    return this.#combine(other, { member: (inOther) => !inOther, child: (own, theirs) => own.difference(theirs), alone: true });
  }

  /** Whether any place is in both. */
  #meets(other: FieldSet): boolean {
    for (const element of other.members) if (this.members.has(element)) return true;
    for (const [element, theirs] of other.children) {
      const own = this.children.get(element);
      if (own ? own.#meets(theirs) : false) return true;
    }
    return false;
  }

  /** The places that are neither members of the other set nor below one. structured-merge-diff fieldpath.Set.RecursiveDifference */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    const members = new Set([...this.members].filter((element) => !other.members.has(element)));
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.children) {
      if (other.members.has(element)) continue;
      const rest = child.recursiveDifference(other.withPrefix(element));
      if (!rest.isEmpty) children.set(element, rest);
    }
    return FieldSet.of(members, children);
  }

  get #size(): number {
    return this.members.size + this.children.size;
  }

  #combine(
    other: FieldSet,
    rule: { member: (inOther: boolean) => boolean; child: (own: FieldSet, theirs: FieldSet) => FieldSet; alone: boolean },
  ): FieldSet {
    const members = new Set<PathElement>();
    for (const element of this.members) if (rule.member(other.members.has(element))) members.add(element);
    const children = new Map<PathElement, FieldSet>();
    for (const [element, own] of this.children) {
      const theirs = other.children.get(element);
      const combined = theirs ? rule.child(own, theirs) : rule.alone ? own : FieldSet.EMPTY;
      if (!combined.isEmpty) children.set(element, combined);
    }
    return FieldSet.of(members, children);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.members.size !== other.members.size || this.children.size !== other.children.size) return false;
    for (const element of this.members) if (!other.members.has(element)) return false;
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      if (!theirs || !child.equals(theirs)) return false;
    }
    return true;
  }

  /** Every place, in order. */
  *paths(prefix: Path = []): Generator<Path> {
    for (const element of this.elements()) {
      if (this.members.has(element)) yield [...prefix, element];
      const child = this.children.get(element);
      if (child) yield* child.paths([...prefix, element]);
    }
  }

  /** The first steps of all places, in order. */
  elements(): PathElement[] {
    const elements = [...this.members];
    for (const element of this.children.keys()) if (!this.members.has(element)) elements.push(element);
    if (elements.length < 2) return elements;
    return elements.every((element) => element.startsWith('f:')) ? elements.sort() : elements.sort(comparePathElements);
  }

  /** Fields that a struct declares become members when anything below them is. structured-merge-diff fieldpath.Set.EnsureNamedFieldsAreMembers */
  ensureNamedFieldsAreMembers(type: FieldType | undefined): FieldSet {
    const members = new Set(this.members);
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.children) {
      const name = element.startsWith('f:') ? element.slice(2) : undefined;
      const declared = name === undefined ? undefined : type?.map?.field(name);
      if (declared) members.add(element);
      const below = declared ?? (name === undefined ? type?.list?.items : type?.map?.items);
      children.set(element, child.ensureNamedFieldsAreMembers(below));
    }
    return FieldSet.of(members, children);
  }
}

/** Builds a set path by path. */
export class FieldSetBuilder {
  readonly #members = new Set<PathElement>();
  readonly #children = new Map<PathElement, FieldSetBuilder>();

  insert(path: Path): void {
    let builder: FieldSetBuilder = this;
    for (let index = 0; index < path.length - 1; index++) builder = builder.child(path[index] ?? '');
    const last = path.at(-1);
    if (last !== undefined) builder.add(last);
  }

  add(element: PathElement): void {
    this.#members.add(element);
  }

  child(element: PathElement): FieldSetBuilder {
    let child = this.#children.get(element);
    if (!child) {
      child = new FieldSetBuilder();
      this.#children.set(element, child);
    }
    return child;
  }

  build(): FieldSet {
    const children = new Map<PathElement, FieldSet>();
    for (const [element, builder] of this.#children) {
      const child = builder.build();
      if (!child.isEmpty) children.set(element, child);
    }
    return FieldSet.of(this.#members, children);
  }
}
