import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type ScalarTag,
  type YAMLError,
} from 'yaml';

export interface YamlDocument {
  readonly value: unknown;
  /** `line 7: key "k" already set in map` */
  readonly duplicates: readonly string[];
  /** Why the text is no YAML, in the manner of Go's library: `yaml: line 2: mapping values are not allowed in this context`. */
  readonly error: string | undefined;
}

/** The booleans that YAML 1.1 has more. */
const OLD_BOOLEAN: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/,
  resolve: (text: string) => /^(?:y|yes|on)$/i.test(text),
};

/** Parses one YAML document, as YAML 1.1 where that differs. */
export function parseYamlDocument(text: string): YamlDocument {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, lineCounter, merge: true, customTags: (tags) => [...tags, OLD_BOOLEAN] });
  const [first] = document.errors;
  if (first) return { value: undefined, duplicates: [], error: yamlErrorText(first) };
  return { value: document.toJS() as unknown, duplicates: duplicateKeys(document, lineCounter), error: undefined };
}

const GO_WORDS: Readonly<Record<string, string>> = {
  BAD_INDENT: 'did not find expected key',
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  TAB_AS_INDENT: 'found character that cannot start any token',
  MISSING_CHAR: 'found unexpected end of stream',
  BAD_ALIAS: 'unknown anchor referenced',
};

/** Go's parser counts lines from 0, its scanner from 1; and each looks at another place. */
const LINES_OFF: Readonly<Record<string, number>> = { BLOCK_AS_IMPLICIT_KEY: 1, BAD_INDENT: -1 };

/** A syntax error in the manner of Go's YAML library; the words differ where that one tells more. */
export function yamlErrorText(error: YAMLError): string {
  const line = (error.linePos?.[0].line ?? 1) + (LINES_OFF[error.code] ?? 0);
  const [words = ''] = error.message.split(' at line ');
  return `yaml: line ${line}: ${GO_WORDS[error.code] ?? words.toLowerCase()}`;
}

function duplicateKeys(document: Document, lineCounter: LineCounter): string[] {
  const found: { line: number; text: string }[] = [];
  const visit = (node: unknown): void => {
    if (isSeq(node)) for (const item of node.items) visit(item);
    if (!isMap(node)) return;
    const seen = new Set<string>();
    for (const { key, value } of node.items as Pair<Node, Node>[]) {
      const name = isScalar(key) ? String(key.value) : String(key);
      if (seen.has(name)) {
        const { line } = lineCounter.linePos(key.range?.[0] ?? 0);
        found.push({ line, text: `line ${line}: key ${JSON.stringify(name)} already set in map` });
      }
      seen.add(name);
      visit(value);
    }
  };
  visit(document.contents);
  return found.sort((a, b) => a.line - b.line).map(({ text }) => text);
}
