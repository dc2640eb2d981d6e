import { Document, isScalar, visit } from 'yaml';

/** Texts that YAML would take for something else. */
const OTHER_TYPES =
  /^(?:|true|false|yes|no|on|off|y|n|null|~|[-+]?(?:0x[\da-f_]+|0o?[0-7_]+|[\d_]+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|\.inf|\.nan)|\d{4}-\d\d-\d\d(?:[Tt ].*)?)$/i;

/** YAML as kubectl prints it: keys sorted, no line folding, double quotes where a text looks like another type, single ones where its characters ask for them. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { sortMapEntries: true, aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'string' && OTHER_TYPES.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, indentSeq: false, singleQuote: true }).trimEnd();
}

/** JSON as kubectl prints it: keys sorted. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(sorted(value), null, indent);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
