import type { Node, Taint } from '../../api/kinds/core-v1.ts';
import { nodes } from '../../api/resources.ts';
import type { Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { namedObjects } from '../rest-mapper.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

interface Changes {
  readonly add: readonly Taint[];
  readonly remove: readonly { readonly key: string; readonly effect: string | undefined }[];
}

/** kubectl taint nodes NAME key=value:Effect key:Effect- */
export const taint: Command = {
  flags: { overwrite: { type: 'boolean' }, all: { type: 'boolean' }, selector: { type: 'string', short: 'l' } },
  async run(context) {
    // Names of nodes hold none of these; keys of taints may hold a slash.
    const isChange = (word: string): boolean => /[=:]|-$/.test(word);
    const [first = '', ...rest] = context.args;
    const names = rest.filter((word) => !isChange(word) && word !== '');
    const changes = readChanges(rest.filter(isChange));
    const selector = context.flags.string('selector');
    const named = names.length ? (await namedObjects(context.client, [first, ...names])).map(({ name = '' }) => name) : undefined;
    if (!changes.add.length && !changes.remove.length) throw new KubectlError('error: at least one taint update is required');
    if (!named && !context.flags.boolean('all') && selector === undefined)
      throw new KubectlError("error: at least one resource name must be specified since '--all' parameter is not set");
    const client = context.client.resource(nodes);
    const targets = named
      ? await Promise.all(named.map((name) => client.get({ name })))
      : (await client.list(selector ? { labelSelector: selector } : {})).items;
    for (const node of targets) {
      const { taints, word } = changed(node, changes, context.flags.boolean('overwrite'));
      await client.patch(
        { name: node.metadata.name ?? '' },
        { spec: { taints: taints.length ? taints : null } },
        { type: 'strategic', fieldManager: 'kubectl-taint' },
      );
      context.out(`node/${node.metadata.name} ${word}`);
    }
  },
};

function readChanges(words: readonly string[]): Changes {
  const add: Taint[] = [];
  const remove: { key: string; effect: string | undefined }[] = [];
  for (const word of words) {
    const removes = word.endsWith('-');
    const [spec = '', effect] = (removes ? word.slice(0, -1) : word).split(':');
    const [key = '', value] = spec.split('=');
    if (effect !== undefined && !EFFECTS.includes(effect))
      throw new KubectlError(
        `error: invalid taint effect: ${effect}, unsupported taint effect\nSee 'kubectl taint -h' for help and examples`,
      );
    if (removes) remove.push({ key, effect });
    else if (effect === undefined)
      throw new KubectlError(`error: invalid taint spec: ${word}\nSee 'kubectl taint -h' for help and examples`);
    else add.push({ key, ...(value ? { value } : {}), effect } as Taint);
  }
  return { add, remove };
}

/** kubectl taint reorganizeTaints: new ones first, then what stays. */
function changed({ metadata, spec }: Node, { add, remove }: Changes, overwrite: boolean): { taints: Taint[]; word: string } {
  const old = spec?.taints ?? [];
  const same = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;
  const clash = add.filter((taint) => old.some((each) => same(each, taint)));
  if (clash.length && !overwrite)
    throw new KubectlError(
      `error: node ${metadata.name} already has ${clash.map(({ key }) => key).join(',')} taint(s) with same effect(s) and --overwrite is false`,
    );
  const gone = old.filter((each) => remove.some(({ key, effect }) => each.key === key && (effect === undefined || each.effect === effect)));
  const missing = remove.find(
    ({ key, effect }) => !gone.some((each) => each.key === key && (effect === undefined || each.effect === effect)),
  );
  if (missing) throw new KubectlError(`error: taint "${missing.key}${missing.effect ? `:${missing.effect}` : ''}" not found`);
  const taints = [...add, ...old.filter((each) => !gone.includes(each) && !add.some((taint) => same(each, taint)))];
  const word = clash.length || (add.length && gone.length) ? 'modified' : gone.length ? 'untainted' : 'tainted';
  return { taints, word };
}
