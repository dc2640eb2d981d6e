import type { Container, PodSpec } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { type Command, type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { MAKE_FLAGS } from '../make-object.ts';
import { patchObject } from '../patch-object.ts';
import { type Named, namedObjects } from '../rest-mapper.ts';
import { selectors } from './get.ts';

/** What a command changes in a pod template; undefined when there is nothing to change. */
interface Setter {
  readonly word: string;
  /** Words that name what is to be changed rather than an object. */
  isChange(word: string): boolean;
  change(context: CommandContext, spec: PodSpec, changes: readonly string[]): object | undefined;
  readonly required?: string;
}

const isAssignment = (word: string): boolean => word.includes('=');

const SETTERS: Readonly<Record<string, Setter>> = {
  image: { word: 'image updated', isChange: isAssignment, change: setImages, required: 'error: at least one image update is required' },
  env: {
    word: 'env updated',
    isChange: (word) => isAssignment(word) || word.endsWith('-'),
    change: setEnvironment,
    required: 'error: at least one environment variable must be provided',
  },
  resources: { word: 'resource requirements updated', isChange: () => false, change: setResources },
  serviceaccount: { word: 'serviceaccount updated', isChange: () => false, change: () => undefined },
};

/** kubectl set image|env|resources|serviceaccount TYPE NAME ... */
export const set: Command = {
  flags: {
    ...MAKE_FLAGS,
    all: { type: 'boolean' },
    selector: { type: 'string', short: 'l' },
    containers: { type: 'string', short: 'c' },
    limits: { type: 'string' },
    requests: { type: 'string' },
    env: { type: 'repeated', short: 'e' },
    list: { type: 'boolean' },
  },
  async run(context) {
    const [what = '', ...words] = context.args;
    const setter = SETTERS[what === 'sa' ? 'serviceaccount' : what];
    if (!setter) throw new KubectlError(`error: set ${what} is not offered here; set ${Object.keys(SETTERS).join(', ')} are`);
    const own = setter.word === 'serviceaccount updated' ? words.slice(-1) : words.filter((word) => setter.isChange(word));
    const changes = [...own, ...context.flags.list('env')];
    const targets = await findTargets(
      context,
      words.filter((word) => !own.includes(word)),
    );
    if (context.flags.boolean('list')) return listEnvironment(context, targets);
    if (setter.required && !changes.length) throw new KubectlError(setter.required);
    if (what === 'resources' && !context.flags.string('limits') && !context.flags.string('requests'))
      throw new KubectlError('error: you must specify an update to requests or limits (in the form of --requests/--limits)');
    for (const target of targets) await setOne(context, { target, setter, changes });
  },
};

type Target = Named & { readonly name: string };

async function findTargets(context: CommandContext, words: readonly string[]): Promise<Target[]> {
  const { flags, client } = context;
  const targets: Target[] = [];
  for (const { resource, name } of await namedObjects(client, words)) {
    if (name !== undefined) targets.push({ resource, name });
    else if (!flags.boolean('all') && !flags.string('selector'))
      throw new KubectlError('error: one or more resources must be specified as <resource> <name> or <resource>/<name>');
    else {
      const { items } = await client
        .resource(resource)
        .list({ namespace: placeOf(context, resource, '').namespace, ...selectors(context) });
      targets.push(...items.map(({ metadata }) => ({ resource, name: metadata.name ?? '' })));
    }
  }
  return targets;
}

type WithPods = KubernetesObject & {
  spec?: { template?: { spec?: PodSpec }; jobTemplate?: { spec?: { template?: { spec?: PodSpec } } } } & Partial<PodSpec>;
};

/** The pod spec inside an object, and how a patch reaches it. */
function podSpecOf({ spec }: WithPods): { spec: PodSpec | undefined; wrap: (change: object) => object } {
  if (spec?.jobTemplate)
    return {
      spec: spec.jobTemplate.spec?.template?.spec,
      wrap: (change) => ({ spec: { jobTemplate: { spec: { template: { spec: change } } } } }),
    };
  if (spec?.template) return { spec: spec.template.spec, wrap: (change) => ({ spec: { template: { spec: change } } }) };
  return { spec: spec as PodSpec | undefined, wrap: (change) => ({ spec: change }) };
}

async function setOne(
  context: CommandContext,
  { target, setter, changes }: { target: Target; setter: Setter; changes: readonly string[] },
): Promise<void> {
  const { resource, name } = target;
  const at = placeOf(context, resource, name);
  const { spec, wrap } = podSpecOf((await context.client.resource(resource).get(at)) as WithPods);
  if (!spec) return;
  const account = setter.word === 'serviceaccount updated' ? changes[0] : undefined;
  const change = account ? { serviceAccountName: account, serviceAccount: account } : setter.change(context, spec, changes);
  // Nothing is sent, and nothing is said, when nothing changes.
  if (change)
    await patchObject(context, { resource, at, patch: wrap(change), type: 'strategic', fieldManager: 'kubectl-set', word: setter.word });
}

function setImages(context: CommandContext, spec: PodSpec, changes: readonly string[]): object | undefined {
  const images = new Map(changes.map((word) => word.split(/=(.*)/s, 2) as [string, string]));
  const lists = { containers: spec.containers ?? [], initContainers: spec.initContainers ?? [] };
  const all = [...lists.containers, ...lists.initContainers];
  for (const name of images.keys())
    if (name !== '*' && !all.some((container) => container.name === name)) context.error(`error: unable to find container named "${name}"`);
  const changed = (list: readonly Container[]): object[] =>
    list.flatMap(({ name, image: old }) => {
      const image = images.get(name) ?? images.get('*');
      return image === undefined || image === old ? [] : [{ name, image }];
    });
  const [containers, initContainers] = [changed(lists.containers), changed(lists.initContainers)];
  if (!containers.length && !initContainers.length) return undefined;
  return { ...(containers.length ? { containers } : {}), ...(initContainers.length ? { initContainers } : {}) };
}

/** The containers that `-c` picks. */
function chosen({ flags }: CommandContext, { containers }: PodSpec): readonly Container[] {
  const pattern = flags.string('containers');
  if (pattern === undefined || pattern === '*') return containers;
  return containers.filter(({ name }) =>
    new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\\\*/g, '.*')}$`).test(name),
  );
}

function setEnvironment(context: CommandContext, spec: PodSpec, changes: readonly string[]): object | undefined {
  const values = changes.filter(isAssignment).map((word) => word.split(/=(.*)/s, 2) as [string, string]);
  const removed = changes.filter((word) => !isAssignment(word)).map((word) => word.slice(0, -1));
  const env = [...values.map(([name, value]) => ({ name, value })), ...removed.map((name) => ({ $patch: 'delete', name }))];
  const changed = chosen(context, spec).filter(
    ({ env: old = [] }) =>
      values.some(([name, value]) => old.find((each) => each.name === name)?.value !== value) ||
      removed.some((name) => old.some((each) => each.name === name)),
  );
  return changed.length ? { containers: changed.map(({ name }) => ({ name, env })) } : undefined;
}

function setResources(context: CommandContext, spec: PodSpec): object | undefined {
  const read = (name: string): Record<string, string> | undefined => {
    const text = context.flags.string(name);
    return text ? Object.fromEntries(text.split(',').map((pair) => pair.split('=', 2) as [string, string])) : undefined;
  };
  const [limits, requests] = [read('limits'), read('requests')];
  return {
    containers: chosen(context, spec).map(({ name }) => ({
      name,
      resources: { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) },
    })),
  };
}

/** `set env --list` */
async function listEnvironment(context: CommandContext, targets: readonly Target[]): Promise<void> {
  for (const { resource, name } of targets) {
    const { spec } = podSpecOf((await context.client.resource(resource).get(placeOf(context, resource, name))) as WithPods);
    for (const container of spec?.containers ?? []) {
      context.out(`# ${resource.kind} ${name}, container ${container.name}`);
      for (const { name: key, value = '' } of container.env ?? []) context.out(`${key}=${value}`);
    }
  }
}
