import type { Pod } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { pods } from '../../api/resources.ts';
import { ApiStatusError } from '../../api/status-error.ts';
import { parseDuration, parseTime } from '../../api/time.ts';
import { type Command, type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { defaultContainer, firstPodOf } from '../pod-of.ts';
import { namedObjects } from '../rest-mapper.ts';

const POLL_MS = 1_000;
const WRONG_USE = `error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.
POD or TYPE/NAME is a required argument for the logs command
See 'kubectl logs -h' for help and examples`;

/** kubectl logs. Differs: `-f` asks again each second for what is new. */
export const logs: Command = {
  flags: {
    container: { type: 'string', short: 'c' },
    follow: { type: 'boolean', short: 'f' },
    previous: { type: 'boolean', short: 'p' },
    tail: { type: 'string' },
    since: { type: 'string' },
    'since-time': { type: 'string' },
    timestamps: { type: 'boolean' },
    'limit-bytes': { type: 'string' },
    selector: { type: 'string', short: 'l' },
    prefix: { type: 'boolean' },
    'all-containers': { type: 'boolean' },
  },
  async run(context) {
    const query = readQuery(context);
    const sources = (await podsOf(context)).flatMap((pod) => containersOf(context, pod).map((container): Source => ({ pod, container })));
    if (context.flags.boolean('follow')) return follow(context, sources, query);
    for (const source of sources) printLog(context, source, await readLog(context, source, query));
  },
};

interface Source {
  readonly pod: Pod;
  readonly container: string;
}

function readQuery(context: CommandContext): Record<string, string> {
  const { flags } = context;
  const since = flags.string('since');
  const sinceMs = since === undefined ? undefined : parseDuration(since);
  if (since !== undefined && sinceMs === undefined)
    throw new KubectlError(
      `error: invalid argument "${since}" for "--since" flag: time: invalid duration "${since}"\nSee 'kubectl logs --help' for usage.`,
    );
  const tail = flags.number('tail') ?? (flags.string('selector') === undefined ? -1 : 10);
  const [sinceTime, limitBytes] = [flags.string('since-time'), flags.number('limit-bytes')];
  if (sinceTime !== undefined && parseTime(sinceTime) === undefined)
    throw new KubectlError(`error: parsing time "${sinceTime}" as "2006-01-02T15:04:05Z07:00": cannot parse "${sinceTime}" as "2006"`);
  return {
    ...(tail >= 0 ? { tailLines: String(tail) } : {}),
    ...(sinceMs ? { sinceSeconds: String(Math.ceil(sinceMs / 1000)) } : {}),
    ...(sinceTime ? { sinceTime } : {}),
    ...(limitBytes === undefined ? {} : { limitBytes: String(limitBytes) }),
    ...(flags.boolean('previous') ? { previous: 'true' } : {}),
    ...(flags.boolean('timestamps') ? { timestamps: 'true' } : {}),
  };
}

async function podsOf(context: CommandContext): Promise<Pod[]> {
  const { args, flags, client, namespace } = context;
  const selector = flags.string('selector');
  if (selector !== undefined) {
    const { items } = await client.resource(pods).list({ namespace, labelSelector: selector });
    if (!items.length) context.warn(`No resources found in ${namespace} namespace.`);
    return items;
  }
  const [target] = args;
  if (!target) throw new KubectlError(WRONG_USE);
  if (!target.includes('/')) return [await getNamed(context, { resource: pods, name: target })];
  const [named] = await namedObjects(client, [target]);
  if (!named || named.name === undefined) throw new KubectlError(WRONG_USE);
  const object = await getNamed(context, { resource: named.resource, name: named.name });
  if (object.kind === 'Pod') return [object as Pod];
  const { first, count } = await firstPodOf(context, object, 'cannot get the logs from');
  if (count > 1) context.warn(`Found ${count} pods, using pod/${first.metadata.name}`);
  return [first];
}

async function getNamed<T extends KubernetesObject>(
  context: CommandContext,
  { resource, name }: { resource: Parameters<typeof context.client.resource<T>>[0]; name: string },
): Promise<T> {
  const at = placeOf(context, resource, name);
  try {
    return await context.client.resource(resource).get(at);
  } catch (error) {
    if (!(error instanceof ApiStatusError)) throw error;
    const { reason, message } = error.status;
    if (reason === 'Forbidden') throw error;
    throw new KubectlError(`error: error from server (${reason}): ${message}${at.namespace ? ` in namespace "${at.namespace}"` : ''}`);
  }
}

function containersOf(context: CommandContext, pod: Pod): string[] {
  const { metadata, spec } = pod;
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(({ name }) => name);
  const asked = context.flags.string('container') ?? context.args[1];
  if (context.flags.boolean('all-containers')) {
    if (asked) throw new KubectlError(`error: --all-containers=true should not be specified with container name ${asked}`);
    return all;
  }
  if (asked) {
    if (!all.includes(asked)) throw new KubectlError(`error: container ${asked} is not valid for pod ${metadata.name}`);
    return [asked];
  }
  return [defaultContainer(context, pod)];
}

async function readLog(context: CommandContext, { pod, container }: Source, query: Readonly<Record<string, string>>): Promise<string> {
  const { name = '', namespace = '' } = pod.metadata;
  const info = {
    isResourceRequest: true,
    verb: 'get',
    path: '',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'log',
    namespace,
    name,
  };
  const response = await context.client.send({ info, query: { container, ...query }, headers: {} });
  if (response.code >= 400) throw new ApiStatusError(response.body as ConstructorParameters<typeof ApiStatusError>[0]);
  return response.text ?? '';
}

function printLog(context: CommandContext, { pod, container }: Source, text: string): void {
  const lead = context.flags.boolean('prefix') ? `[pod/${pod.metadata.name}/${container}] ` : '';
  for (const line of text.replace(/\n$/, '').split('\n')) if (text) context.out(lead + line);
}

/** What is new each second, until the container has ended or the command is interrupted. */
async function follow(context: CommandContext, sources: readonly Source[], query: Readonly<Record<string, string>>): Promise<void> {
  const printed = new Map<Source, number>();
  for (const source of sources) {
    const whole = await readLog(context, source, {});
    printLog(context, source, await readLog(context, source, query));
    printed.set(source, whole.length);
  }
  const { tailLines: _, sinceSeconds: __, ...rest } = query;
  for (;;) {
    const { items } = await context.client.resource(pods).list({ namespace: context.namespace });
    for (const source of sources) {
      const whole = await readLog(context, source, rest);
      const fresh = whole.slice(printed.get(source) ?? 0);
      if (fresh) printLog(context, source, fresh);
      printed.set(source, whole.length);
    }
    const running = (name: string | undefined): boolean =>
      items.some(({ metadata, status }) => metadata.name === name && status?.phase === 'Running');
    if (!sources.some(({ pod }) => running(pod.metadata.name))) return;
    await context.sleep(POLL_MS);
  }
}
