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
  type Tags,
  type YAMLError,
} from 'yaml';
import { isDeeperThan, MAX_DEPTH } from './depth.ts';

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
  try {
    return parseDocumentText(text);
  } catch (error) {
    // An alias of nothing, or aliases of aliases that would never end.
    if (error instanceof ReferenceError) return { value: undefined, duplicates: [], error: aliasErrorText(error) };
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}

const TOO_DEEP: YamlDocument = { value: undefined, duplicates: [], error: 'yaml: exceeded max depth of 10000' };

function parseDocumentText(text: string): YamlDocument {
  const lineCounter = new LineCounter();
  const customTags = (tags: Tags): Tags => [...tags, OLD_BOOLEAN];
  const document = parseDocument(text, { uniqueKeys: false, lineCounter, merge: true, logLevel: 'error', customTags });
  const [first] = document.errors;
  if (first && /call stack/.test(first.message)) return TOO_DEEP;
  if (first) return { value: undefined, duplicates: [], error: yamlErrorText(first, text) };
  const value = document.toJS() as unknown;
  if (isDeeperThan(value, MAX_DEPTH)) return TOO_DEEP;
  return { value, duplicates: duplicateKeys(document, lineCounter), error: undefined };
}

const GO_WORDS: Readonly<Record<string, string>> = {
  BAD_INDENT: 'did not find expected key',
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  TAB_AS_INDENT: 'found character that cannot start any token',
  MISSING_CHAR: 'found unexpected end of stream',
  BAD_ALIAS: 'unknown anchor referenced',
};

function aliasErrorText({ message }: ReferenceError): string {
  const [, anchor] = /must be set before the alias\): (.*)$/.exec(message) ?? [];
  return anchor === undefined ? 'yaml: document contains excessive aliasing' : `yaml: unknown anchor '${anchor}' referenced`;
}

/** A syntax error in the manner of Go's YAML library; the words differ where that one tells more. Nothing is said of the first line. */
export function yamlErrorText(error: YAMLError, text: string): string {
  const [words = ''] = error.message.split(' at line ');
  const line = goLine(error, text);
  return `yaml: ${line > 0 ? `line ${line}: ` : ''}${GO_WORDS[error.code] ?? words.toLowerCase()}`;
}

/** Go's parser counts lines from 0, its scanner from 1 but for the first; a key in the wrong place is where its colon is. */
function goLine({ code, linePos, pos: [start] }: YAMLError, text: string): number {
  const line = linePos?.[0].line ?? 1;
  if (code === 'BAD_INDENT') return line - 1;
  if (code !== 'BLOCK_AS_IMPLICIT_KEY') return line;
  const upToColon = /^.*?:(?=\s|$)/s.exec(text.slice(start))?.[0] ?? '';
  const found = line + upToColon.split('\n').length - 1;
  return found > 1 ? found : 0;
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
