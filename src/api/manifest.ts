import { type Document, isMap, isScalar, LineCounter, parseAllDocuments, type YAMLError, type YAMLMap } from 'yaml';
import type { KubernetesObject } from './object.ts';

/** One object of a manifest, and where it begins. */
export interface ManifestObject {
  readonly object: KubernetesObject;
  readonly file: string;
  readonly line: number;
}

/** What is wrong with a manifest, and where: `web.yaml:3:5: metadata.name: expected text, found a number`. */
export class ManifestError extends Error {
  override name = 'ManifestError';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The field that is meant, '' for the document as a whole. */
  readonly field: string;
  readonly expected: string;

  constructor(at: { file: string; line: number; column: number; field?: string; expected: string }) {
    super(`${at.file}:${at.line}:${at.column}: ${at.field ? `${at.field}: ` : ''}${at.expected}`);
    this.file = at.file;
    this.line = at.line;
    this.column = at.column;
    this.field = at.field ?? '';
    this.expected = at.expected;
  }
}

/**
 * Reads a manifest (YAML or JSON, several documents, `List` objects taken apart) into objects. Fields are not checked here: that is
 * kube-apiserver's part.
 * @throws ManifestError for broken syntax, for a document that is no object, and when kind, apiVersion or name is missing
 * @example parseManifest('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}', 'a.yaml')
 */
export function parseManifest(text: string, file = 'manifest'): ManifestObject[] {
  const json = jsonObject(text);
  if (json) return takeApart(json, { file, line: 1, column: 1 });
  const lineCounter = new LineCounter();
  const found: ManifestObject[] = [];
  for (const document of documentsOf(text, { file, lineCounter })) {
    const [error] = document.errors;
    if (error) throw syntaxError(error, file);
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) continue;
    const { line, col } = lineCounter.linePos(contents.range?.[0] ?? 0);
    const at = { file, line, column: col };
    if (!isMap(contents))
      throw new ManifestError({
        ...at,
        expected: `expected an object with apiVersion, kind and metadata, found ${isScalar(contents) ? 'a plain value' : 'a list'}`,
      });
    const value = contentOf(document, { text, at });
    for (const name of ['apiVersion', 'kind'] as const) requireText(value, name, { contents, at, lineCounter });
    found.push(...takeApart(value as unknown as KubernetesObject, at));
  }
  return found;
}

/** @throws ManifestError for what is nested so deeply that nobody can mean it */
function documentsOf(text: string, { file, lineCounter }: { file: string; lineCounter: LineCounter }): Document.Parsed[] {
  try {
    const documents = parseAllDocuments(text, { lineCounter, merge: true });
    return 'empty' in documents ? [] : documents;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ManifestError({ file, line: 1, column: 1, expected: TOO_DEEP });
  }
}

const TOO_DEEP = 'nested too deeply';

/** @throws ManifestError for aliases that lead nowhere, back to themselves, or to more than can be meant */
function contentOf(document: Document.Parsed, { text, at }: { text: string; at: Place }): Record<string, unknown> {
  try {
    const value = document.toJS() as Record<string, unknown>;
    if (text.includes('&')) JSON.stringify(value);
    return value;
  } catch (error) {
    const [, missing] = error instanceof ReferenceError ? (/must be set before the alias\): (.*)$/.exec(error.message) ?? []) : [];
    if (missing !== undefined)
      throw new ManifestError({ ...at, expected: `the alias *${missing} refers to nothing; expected an anchor &${missing} before it` });
    if (error instanceof ReferenceError) throw new ManifestError({ ...at, expected: 'aliases of aliases come to more than can be meant' });
    if (error instanceof TypeError)
      throw new ManifestError({ ...at, expected: 'an alias lies within what it refers to, which would never end' });
    if (error instanceof RangeError) throw new ManifestError({ ...at, expected: TOO_DEEP });
    throw error;
  }
}

/** A manifest that is JSON, as dumps of whole clusters may be: read in a fraction of the time. What is odd about it is left to the other way, which knows places. */
function jsonObject(text: string): KubernetesObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as Partial<KubernetesObject>;
    return typeof value.apiVersion === 'string' && typeof value.kind === 'string' && value.kind && value.apiVersion
      ? (value as KubernetesObject)
      : undefined;
  } catch {
    return undefined;
  }
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function requireText(
  value: Record<string, unknown>,
  name: 'apiVersion' | 'kind',
  { contents, at, lineCounter }: { contents: YAMLMap; at: Place; lineCounter: LineCounter },
): void {
  const given = value[name];
  if (typeof given === 'string' && given !== '') return;
  const example = name === 'kind' ? 'Deployment' : 'apps/v1';
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === name);
  const offset = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  const place =
    offset === undefined ? at : { file: at.file, line: lineCounter.linePos(offset).line, column: lineCounter.linePos(offset).col };
  throw new ManifestError({
    ...place,
    field: name,
    expected: given === undefined ? `missing; expected e.g. ${example}` : `expected text, e.g. ${example}`,
  });
}

function takeApart(object: KubernetesObject, at: Place): ManifestObject[] {
  const { items } = object as { items?: unknown };
  if (!object.kind?.endsWith('List') || !Array.isArray(items)) {
    const metadata = object.metadata as KubernetesObject['metadata'] | undefined;
    if (typeof metadata !== 'object' || metadata === null)
      throw new ManifestError({ ...at, field: 'metadata', expected: 'missing; expected an object with a name' });
    if (!metadata.name && !metadata.generateName)
      throw new ManifestError({ ...at, field: 'metadata.name', expected: 'missing; expected a name' });
    return [{ object, file: at.file, line: at.line }];
  }
  return items.flatMap((item: unknown, index) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new ManifestError({ ...at, field: `items[${index}]`, expected: 'expected an object' });
    const inner = ofTypedList(object, item as KubernetesObject);
    for (const name of ['apiVersion', 'kind'] as const)
      if (!inner[name]) throw new ManifestError({ ...at, field: `items[${index}].${name}`, expected: 'missing' });
    return takeApart(inner, at);
  });
}

/** Items of a list of one kind, as the API gives it (`PodList`), do not say what they are. */
function ofTypedList({ apiVersion, kind = '' }: KubernetesObject, item: KubernetesObject): KubernetesObject {
  if (item.kind || item.apiVersion || kind === 'List') return item;
  return { ...item, ...(apiVersion ? { apiVersion } : {}), kind: kind.slice(0, -'List'.length) };
}

function syntaxError(error: YAMLError, file: string): ManifestError {
  const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
  const [words = error.message] = error.message.split(' at line ');
  return new ManifestError({ file, line, column: col, expected: words.replace(/:$/, '') });
}
