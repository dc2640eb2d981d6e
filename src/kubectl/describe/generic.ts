import type { KubernetesObject } from '../../api/object.ts';
import type { CommandContext } from '../command.ts';
import { describeHead } from './config.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { describeEvents } from './events.ts';

/** Kinds without a description of their own, custom resources among them: every field, sorted. kubectl pkg/describe genericDescriber */
export async function describeAny(context: CommandContext, writer: DescribeWriter, object: KubernetesObject): Promise<void> {
  const { metadata, apiVersion, kind, ...rest } = object as KubernetesObject & Record<string, unknown>;
  describeHead(writer, object);
  const { name: _, namespace: __, labels: ___, annotations: ____, managedFields: _____, ...shown } = metadata;
  printMap(writer, 0, { apiVersion, kind, metadata: shown, ...rest });
  await describeEvents(context, writer, object);
}

function printMap(writer: DescribeWriter, level: number, map: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === undefined) continue;
    const label = spaced(key);
    if (Array.isArray(value)) printList(writer, level, { label, list: value });
    else if (typeof value === 'object' && value !== null) {
      writer.line(level, `${label}:`);
      printMap(writer, level + 1, value as Record<string, unknown>);
    } else writer.field(level, label, String(value));
  }
}

function printList(writer: DescribeWriter, level: number, { label, list }: { label: string; list: readonly unknown[] }): void {
  writer.line(level, `${label}:`);
  for (const item of list) {
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) printMap(writer, level + 1, item as Record<string, unknown>);
    else writer.line(level + 1, String(item));
  }
}

/** `apiVersion` → `API Version`: kubectl pkg/describe smartLabelFor */
function spaced(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ');
  const known: Readonly<Record<string, string>> = { api: 'API', uid: 'UID', url: 'URL', acl: 'ACL', osb: 'OSB', guid: 'GUID', ip: 'IP' };
  return words.map((word) => known[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
