import type { KubernetesObject } from '../api/object.ts';
import type { CommandContext } from './command.ts';
import { goTemplate } from './go-template.ts';
import { jsonPath, jsonPathResults, valuesAt, valueText } from './jsonpath.ts';
import { KubectlError } from './kubectl-error.ts';
import { toJson, toYaml } from './yaml-output.ts';

/** What `-o` may say, as kubectl lists it in its error. */
const FORMATS =
  'custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,wide,yaml';

/** Prints one object, or a list, as `-o` says. @throws KubectlError for a format that does not exist */
export function printValue(context: CommandContext, output: string, { value, name }: { value: object; name?: string }): void {
  const [format = '', argument = ''] = output.split(/=(.*)/s);
  const shown = context.flags.boolean('show-managed-fields') ? withManagedFields(value) : withoutManagedFields(value);
  switch (format) {
    case 'yaml':
      context.out(toYaml(shown));
      break;
    case 'json':
      context.out(toJson(shown, 4));
      break;
    case 'name':
      context.out(name ?? '');
      break;
    case 'jsonpath':
      printText(context, jsonPath(argument, withManagedFields(value)));
      break;
    case 'jsonpath-file':
      printText(context, jsonPath(templateOf(context, argument).replace(/\n+$/, ''), withManagedFields(value)));
      break;
    case 'jsonpath-as-json':
      context.out(toJson(jsonPathResults(argument, withManagedFields(value)), 4));
      break;
    case 'go-template':
    case 'template':
      printText(context, goTemplate(argument, withManagedFields(value)));
      break;
    case 'go-template-file':
    case 'templatefile':
      printText(context, goTemplate(templateOf(context, argument), withManagedFields(value)));
      break;
    case 'custom-columns':
      printColumns(context, argument, value);
      break;
    default:
      throw new KubectlError(
        `error: unable to match a printer suitable for the output format "${output}", allowed formats are: ${FORMATS}`,
      );
  }
}

function templateOf({ files }: CommandContext, path: string): string {
  const text = files[path];
  if (text === undefined) throw new KubectlError(`error: error reading template ${path}, open ${path}: no such file or directory`);
  return text;
}

/** A template ends its lines itself. */
function printText(context: CommandContext, text: string): void {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) context.out(line);
}

/** `-o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName` */
function printColumns(context: CommandContext, spec: string, value: object): void {
  const columns = spec.split(',').map((column) => column.split(/:(.*)/s));
  if (!spec || columns.some(([head, path]) => !head || !path))
    throw new KubectlError(
      spec
        ? `error: unexpected custom-columns spec: ${spec}, expected <header>:<json-path-expr>`
        : 'error: custom-columns format specified but no custom columns given',
    );
  const items = 'items' in value && Array.isArray(value.items) ? (value.items as object[]) : [value];
  const rows = items.map((item) => columns.map(([, path = '']) => valuesAt(path, item).map(valueText).join(',') || '<none>'));
  const head = columns.map(([name = '']) => name);
  const lines = context.flags.boolean('no-headers') ? rows : [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines)
    context.out(line.map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd((widths[column] ?? 0) + 3))).join(''));
}

/** An object or list with its managedFields as a field like any other: they are worked out when they are asked for. */
export function withManagedFields(value: object): object {
  if ('items' in value && Array.isArray(value.items))
    return { ...value, items: value.items.map((item: object) => withManagedFields(item)) };
  const { metadata } = value as Partial<KubernetesObject>;
  return metadata?.managedFields ? { ...value, metadata: { ...metadata, managedFields: metadata.managedFields } } : value;
}

/** An object or list without what nobody wants to read; `--show-managed-fields` is asked for elsewhere. */
export function withoutManagedFields(value: object): object {
  if ('items' in value && Array.isArray(value.items))
    return { ...value, items: value.items.map((item: object) => withoutManagedFields(item)) };
  if (!('metadata' in value)) return value;
  const { managedFields: _, ...metadata } = (value as KubernetesObject).metadata;
  return { ...value, metadata };
}
