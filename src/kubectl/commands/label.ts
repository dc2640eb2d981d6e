import { isValidLabelValue } from '../../api/validation/content.ts';
import { chosenObjects } from '../chosen-objects.ts';
import type { Command, CommandContext } from '../command.ts';
import { placeOf } from '../command.ts';
import type { FlagSpecs } from '../flags.ts';
import { KubectlError } from '../kubectl-error.ts';
import { MAKE_FLAGS } from '../make-object.ts';
import { patchObject } from '../patch-object.ts';

type Field = 'labels' | 'annotations';

const flags: FlagSpecs = {
  ...MAKE_FLAGS,
  overwrite: { type: 'boolean' },
  all: { type: 'boolean' },
  selector: { type: 'string', short: 'l' },
  list: { type: 'boolean' },
  'resource-version': { type: 'string' },
};

/** kubectl label TYPE NAME key=value key-: GET, then a merge patch. */
export const label: Command = { flags, run: (context) => change(context, 'labels') };
export const annotate: Command = { flags, run: (context) => change(context, 'annotations') };

async function change(context: CommandContext, field: Field): Promise<void> {
  const isChange = (word: string): boolean => word.includes('=') || word.endsWith('-');
  const changes = context.args.filter(isChange);
  if (context.flags.boolean('list')) return list(context, field);
  refuseChanges(changes, field);
  if (!changes.length) throw new KubectlError(`error: at least one ${field === 'labels' ? 'label' : 'annotation'} update is required`);
  for (const { resource, name } of await chosenObjects(
    context,
    context.args.filter((word) => !isChange(word)),
  )) {
    const at = placeOf(context, resource, name);
    const client = context.client.resource(resource);
    const before = (await client.get(at)).metadata[field] ?? {};
    const wanted = Object.fromEntries(changes.map(readChange));
    if (!context.flags.boolean('overwrite')) refuseOverwrite(before, wanted, field);
    for (const [key, value] of Object.entries(wanted))
      if (value === null && !(key in before) && field === 'labels') context.out(`label "${key}" not found.`);
    const overwrite = context.flags.boolean('overwrite');
    const resourceVersion = context.flags.string('resource-version');
    await patchObject(context, {
      resource,
      at,
      patch: { metadata: { ...(resourceVersion ? { resourceVersion } : {}), [field]: wanted } },
      type: 'merge',
      word: word({ before, wanted, field, overwrite }),
    });
  }
}

/** What kubectl itself finds wrong. @throws KubectlError */
function refuseChanges(changes: readonly string[], field: Field): void {
  const wanted = changes.map(readChange);
  const removed = new Set(wanted.flatMap(([key, value]) => (value === null ? [key] : [])));
  for (const [key, value] of wanted) {
    if (value === null) continue;
    if (removed.has(key))
      throw new KubectlError(
        `error: can not both modify and remove ${field === 'labels' ? 'a label' : 'an annotation'} in the same command`,
      );
    const [problem] = field === 'labels' ? isValidLabelValue(value) : [];
    if (problem) throw new KubectlError(`error: invalid label value: "${key}=${value}": ${problem}`);
  }
}

/** `--list`: what is there. */
async function list(context: CommandContext, field: Field): Promise<void> {
  for (const { resource, name } of await chosenObjects(context, context.args)) {
    const { metadata } = await context.client.resource(resource).get(placeOf(context, resource, name));
    for (const [key, value] of Object.entries(metadata[field] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) context.out(`${key}=${value}`);
  }
}

function readChange(text: string): [string, string | null] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text.slice(0, -1), null] : [text.slice(0, equals), text.slice(equals + 1)];
}

function refuseOverwrite(before: Record<string, string>, wanted: Record<string, string | null>, field: Field): void {
  for (const [key, value] of Object.entries(wanted)) {
    const old = before[key];
    if (value === null || old === undefined || old === value) continue;
    const text = `'${key}' already has a value (${old})`;
    throw new KubectlError(
      field === 'labels'
        ? `error: ${text}, and --overwrite is false`
        : `error: --overwrite is false but found the following declared annotation(s): ${text}`,
    );
  }
}

function word(change: { before: Record<string, string>; wanted: Record<string, string | null>; field: Field; overwrite: boolean }): string {
  if (change.field === 'annotations') return 'annotated';
  const entries = Object.entries(change.wanted);
  if (entries.every(([key, value]) => change.before[key] === value)) return 'not labeled';
  return !change.overwrite && entries.every(([key, value]) => value === null && key in change.before) ? 'unlabeled' : 'labeled';
}
