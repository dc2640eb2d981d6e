import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, YAMLMap } from 'yaml';
import { DocumentError } from './document-error.ts';
import { parseDuration } from './duration.ts';

interface Source {
  readonly file: string;
  readonly lines: LineCounter;
  /** What an alias (`*name`) stands for. */
  readonly resolve: (alias: Alias) => Node;
}

/**
 * A value in a YAML file that knows where it stands. Reading it as something it is not throws a `DocumentError` with file, line, column and field.
 * @example const root = readDocument(text, 'web.yaml'); root.onlyFields(['title', 'steps']); root.field('title').string();
 */
export class DocumentReader {
  /** Where the value stands in the document, e.g. `steps[2].wait`. */
  readonly path: string;
  readonly #node: Node | null | undefined;
  readonly #source: Source;
  /** Where to point when the value is absent. */
  readonly #parent: Node | undefined;

  constructor(node: Node | null | undefined, at: { source: Source; path: string; parent?: Node | undefined }) {
    this.#node = isAlias(node) ? at.source.resolve(node) : node;
    this.#source = at.source;
    this.path = at.path;
    this.#parent = at.parent;
  }

  get exists(): boolean {
    return this.#node !== undefined && this.#node !== null && !(isScalar(this.#node) && this.#node.value === null);
  }

  /** Throws, saying what was expected here. */
  fail(problem: string): never {
    const { file, lines } = this.#source;
    const offset = (this.#node ?? this.#parent)?.range?.[0];
    const { line, col } = offset === undefined ? { line: 0, col: 0 } : lines.linePos(offset);
    throw new DocumentError({ file, line, column: col, field: this.path }, problem);
  }

  string(): string {
    if (!this.exists) this.fail('a text is missing');
    if (!isScalar(this.#node) || typeof this.#node.value !== 'string') this.fail(`expected a text, found ${this.#describe()}`);
    return this.#node.value;
  }

  /** A text, or a number or boolean as it is written. */
  text(): string {
    if (!this.exists) this.fail('a value is missing');
    if (!isScalar(this.#node)) this.fail(`expected a single value, found ${this.#describe()}`);
    return String(this.#node.value);
  }

  number(): number {
    if (!isScalar(this.#node) || typeof this.#node.value !== 'number') this.fail(`expected a number, found ${this.#describe()}`);
    return this.#node.value;
  }

  boolean(): boolean {
    if (!isScalar(this.#node) || typeof this.#node.value !== 'boolean') this.fail(`expected true or false, found ${this.#describe()}`);
    return this.#node.value;
  }

  /** Virtual milliseconds, written like `30s`, `1m30s`, `500ms`. */
  duration(): number {
    const text = this.text();
    const ms = parseDuration(text);
    if (ms === undefined) this.fail(`expected a time such as 30s, 1m30s or 500ms, found "${text}"`);
    return ms;
  }

  oneOf<T extends string>(values: readonly T[]): T {
    const text = this.string();
    if (!(values as readonly string[]).includes(text)) this.fail(`expected one of ${values.join(', ')}, found "${text}"`);
    return text as T;
  }

  /** The value of a field of this map; a reader of nothing when it is absent. */
  field(name: string): DocumentReader {
    const map = this.#map();
    const value = map?.get(name, true) as Node | undefined;
    return new DocumentReader(value, {
      source: this.#source,
      path: this.path ? `${this.path}.${name}` : name,
      parent: this.#node ?? undefined,
    });
  }

  fieldNames(): string[] {
    return (this.#map()?.items ?? []).map((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key));
  }

  /** Refuses fields that nobody would read. */
  onlyFields(known: readonly string[]): void {
    for (const name of this.fieldNames())
      if (!known.includes(name)) this.field(name).fail(`unknown field; known here: ${known.join(', ')}`);
  }

  items(): DocumentReader[] {
    if (!this.exists) return [];
    if (!isSeq(this.#node)) this.fail(`expected a list, found ${this.#describe()}`);
    return this.#node.items.map(
      (item, index) =>
        new DocumentReader(item as Node, { source: this.#source, path: `${this.path}[${index}]`, parent: this.#node ?? undefined }),
    );
  }

  get isText(): boolean {
    return isScalar(this.#node) && typeof this.#node.value === 'string';
  }

  get isNumber(): boolean {
    return isScalar(this.#node) && typeof this.#node.value === 'number';
  }

  get isBoolean(): boolean {
    return isScalar(this.#node) && typeof this.#node.value === 'boolean';
  }

  get isList(): boolean {
    return isSeq(this.#node);
  }

  /** The same map without these fields. */
  without(names: readonly string[]): DocumentReader {
    const map = this.#map();
    if (!map) return this;
    const rest = new YAMLMap();
    rest.items = map.items.filter((pair) => !names.includes(String(isScalar(pair.key) ? pair.key.value : pair.key)));
    if (map.range) rest.range = map.range;
    return new DocumentReader(rest, { source: this.#source, path: this.path });
  }

  /** The plain value, whatever it is. */
  value(): unknown {
    return this.exists ? this.#node?.toJS(EMPTY_DOCUMENT) : undefined;
  }

  #map() {
    if (!this.exists) return undefined;
    if (!isMap(this.#node)) this.fail(`expected fields (key: value), found ${this.#describe()}`);
    return this.#node;
  }

  #describe(): string {
    if (!this.exists) return 'nothing';
    if (isMap(this.#node)) return 'fields (key: value)';
    if (isSeq(this.#node)) return 'a list';
    return isScalar(this.#node) ? `${typeof this.#node.value} ${JSON.stringify(this.#node.value)}` : 'something else';
  }
}

const EMPTY_DOCUMENT: Document = parseDocument('');

/** Parses one YAML document. @throws DocumentError for broken syntax */
export function readDocument(text: string, file: string): DocumentReader {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = document.errors;
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new DocumentError({ file, line, column: col, field: '' }, `this is not YAML: ${problem.message}`);
  }
  const resolve = (alias: Alias): Node => {
    const node = alias.resolve(document);
    if (node) return node;
    const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
    throw new DocumentError(
      { file, line, column: col, field: '' },
      `the alias *${alias.source} refers to nothing; expected an anchor &${alias.source} before it`,
    );
  };
  return new DocumentReader(document.contents, { source: { file, lines, resolve }, path: '' });
}
