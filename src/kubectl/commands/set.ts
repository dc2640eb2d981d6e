import type { Container, EnvVar, PodSpec } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { canonicalQuantity } from '../../api/quantity.ts';
import { schemaOfKind } from '../../api/schema.ts';
import { ApiStatusError } from '../../api/status-error.ts';
import { applyStrategicMergePatch } from '../../api/strategic-merge-patch.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { MAKE_FLAGS } from '../make-object.ts';
import { printValue } from '../output.ts';
import { patchObject } from '../patch-object.ts';
import { kindName, type Named, namedObjects } from '../rest-mapper.ts';
import { chosenContainers } from './chosen-containers.ts';
import { selectors } from './get.ts';
import { readEnvironment, setEnvironment, variableText } from './set-environment.ts';
import { setSelector, setSubject } from './set-others.ts';
import { NOTHING_NAMED } from './wait.ts';

/** What the command line says of it: words, and for `env` variables too. */
interface Changes {
  readonly changes: readonly string[];
  readonly variables: readonly EnvVar[];
}

/** What a command changes in a pod template; undefined when there is nothing to change. */
interface Setter {
  readonly word: string;
  /** Words that name what is to be changed rather than an object. */
  isChange(word: string): boolean;
  change(context: CommandContext, spec: PodSpec, changes: Changes): object | undefined;
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

/** What is not about pods. */
const OTHERS: Readonly<Record<string, typeof setSelector>> = { selector: setSelector, subject: setSubject };

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
    from: { type: 'string' },
    prefix: { type: 'string' },
    keys: { type: 'list' },
    resolve: { type: 'boolean' },
    local: { type: 'boolean' },
    user: { type: 'list' },
    group: { type: 'list' },
    serviceaccount: { type: 'list' },
    ...FILE_FLAGS,
  },
  async run(context) {
    const [what = '', ...words] = context.args;
    const other = OTHERS[what];
    if (other)
      return other(
        context,
        await findTargets(
          context,
          words.filter((word) => !isAssignment(word)),
        ),
        words.filter(isAssignment),
      );
    const setter = SETTERS[what === 'sa' ? 'serviceaccount' : what];
    if (!setter)
      throw new KubectlError(
        `error: set ${what} is not offered here; set ${[...Object.keys(SETTERS), ...Object.keys(OTHERS)].join(', ')} are`,
      );
    const own = setter.word === 'serviceaccount updated' ? words.slice(-1) : words.filter((word) => setter.isChange(word));
    const changes = [...own, ...context.flags.list('env')];
    const variables = what === 'env' ? await readEnvironment(context, changes) : [];
    const named = words.filter((word) => !own.includes(word));
    if (context.flags.boolean('local')) return setLocally(context, { setter, changes, variables, named });
    const targets = await findTargets(context, named);
    if (context.flags.boolean('list')) return listEnvironment(context, targets);
    if (setter.required && !changes.length && !variables.length) throw new KubectlError(setter.required);
    if (what === 'resources' && !context.flags.string('limits') && !context.flags.string('requests'))
      throw new KubectlError('error: you must specify an update to requests or limits (in the form of --requests/--limits)');
    for (const target of targets) await setOne(context, { target, setter, changes, variables });
  },
};

/** What is to be changed. */
export type SetTarget = Named & { readonly name: string };

async function findTargets(context: CommandContext, words: readonly string[]): Promise<SetTarget[]> {
  const { flags, client } = context;
  if (flags.list('filename').length)
    return (await fileObjects(context)).map(({ resource, object }) => ({ resource, name: object.metadata.name ?? '' }));
  if (!words.length) throw new KubectlError(NOTHING_NAMED);
  const targets: SetTarget[] = [];
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
  { target, setter, changes, variables }: Changes & { target: SetTarget; setter: Setter },
): Promise<void> {
  const { resource, name } = target;
  const at = placeOf(context, resource, name);
  const { spec, wrap } = podSpecOf((await context.client.resource(resource).get(at)) as WithPods);
  if (!spec) return;
  const account = setter.word === 'serviceaccount updated' ? changes[0] : undefined;
  const change = account ? { serviceAccountName: account, serviceAccount: account } : setter.change(context, spec, { changes, variables });
  // Nothing is sent, and nothing is said, when nothing changes.
  if (!change) return;
  try {
    await patchObject(context, { resource, at, patch: wrap(change), type: 'strategic', fieldManager: 'kubectl-set', word: setter.word });
  } catch (error) {
    if (!(error instanceof ApiStatusError) || setter !== SETTERS['resources']) throw error;
    throw new KubectlError(`error: failed to patch resources update to pod template ${error.message}`);
  }
}

const NEEDS_FILE = `error: you must specify resources by --filename when --local is set.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

/** `--local`: what would come of it, without asking anybody. */
async function setLocally(
  context: CommandContext,
  { setter, changes, variables, named }: Changes & { setter: Setter; named: readonly string[] },
): Promise<void> {
  if (named.length || !context.flags.list('filename').length) throw new KubectlError(NEEDS_FILE);
  for (const { object, resource } of await fileObjects(context)) {
    const { spec, wrap } = podSpecOf(object as WithPods);
    const change = spec && setter.change(context, spec, { changes, variables });
    const schema = schemaOfKind(object.apiVersion ?? '', object.kind ?? '');
    const after = change && schema ? applyStrategicMergePatch(object, wrap(change), schema) : object;
    const name = `${kindName(resource)}/${object.metadata.name}`;
    const output = context.flags.string('output');
    if (output) printValue(context, output, { value: after, name });
    else context.out(`${name} ${setter.word}`);
  }
}

function setImages(context: CommandContext, spec: PodSpec, { changes }: Changes): object | undefined {
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

function setResources(context: CommandContext, spec: PodSpec): object | undefined {
  const read = (name: string): Record<string, string> | undefined => {
    const text = context.flags.string(name);
    if (!text) return undefined;
    const entries = text.split(',').map((pair) => pair.split('=', 2) as [string, string]);
    for (const [, amount = ''] of entries)
      if (canonicalQuantity(amount) === undefined)
        throw new KubectlError("error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    return Object.fromEntries(entries);
  };
  const [limits, requests] = [read('limits'), read('requests')];
  return {
    containers: chosenContainers(context, spec).map(({ name }) => ({
      name,
      resources: { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}) },
    })),
  };
}

/** `set env --list` */
async function listEnvironment(context: CommandContext, targets: readonly SetTarget[]): Promise<void> {
  for (const { resource, name } of targets) {
    const { spec } = podSpecOf((await context.client.resource(resource).get(placeOf(context, resource, name))) as WithPods);
    for (const container of spec?.containers ?? []) {
      context.out(`# ${resource.kind} ${name}, container ${container.name}`);
      for (const variable of container.env ?? []) context.out(await variableText(context, variable));
    }
  }
}
