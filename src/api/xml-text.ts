/** What an XML document is made of: texts, and elements by their names; a list repeats its element. Undefined is left out. */
export type XmlValue = string | number | boolean | undefined | readonly XmlValue[] | { readonly [name: string]: XmlValue };

/** Writes an element. The elements of a list inside of it are named `item`, unless `listItem` says otherwise. */
export function writeXml(name: string, value: XmlValue, listItem = 'item'): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return `<${name}>${value.map((item: XmlValue) => writeXml(listItem, item, listItem)).join('')}</${name}>`;
  if (typeof value === 'object') {
    const inner = Object.entries(value).map(([field, each]) => writeXml(field, each, listItem));
    return `<${name}>${inner.join('')}</${name.split(' ')[0]}>`;
  }
  return `<${name}>${escapeXml(String(value))}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** An element that was read. Attributes are left out. */
export class XmlElement {
  readonly name: string;
  readonly children: XmlElement[] = [];
  content = '';

  constructor(name: string) {
    this.name = name;
  }

  /** The first element at a path below this one. */
  get(...path: readonly string[]): XmlElement | undefined {
    let found: XmlElement | undefined = this;
    for (const name of path) found = found?.children.find((child) => child.name === name);
    return found;
  }

  /** The text of the element at a path. */
  text(...path: readonly string[]): string | undefined {
    return this.get(...path)?.content;
  }

  /** All elements of a list at a path, whatever they are called. */
  items(...path: readonly string[]): readonly XmlElement[] {
    return this.get(...path)?.children ?? [];
  }
}

/** Reads a document; undefined when there is no element in it. */
export function parseXml(text: string): XmlElement | undefined {
  const root = new XmlElement('');
  const open = [root];
  for (const [, tag, content = ''] of text.matchAll(/<([^>]+)>([^<]*)/g)) {
    if (tag === undefined || tag.startsWith('?') || tag.startsWith('!')) continue;
    if (tag.startsWith('/')) {
      open.pop();
      continue;
    }
    const element = new XmlElement(tag.split(/[\s/]/)[0] ?? '');
    open.at(-1)?.children.push(element);
    if (tag.endsWith('/')) continue;
    element.content = content.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
    open.push(element);
  }
  return root.children[0];
}
