import type { KubernetesObject } from '../../api/object.ts';
import { isNotFound } from '../../api/status-error.ts';
import { parseDuration } from '../../api/time.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { valuesAt, valueText } from '../jsonpath.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { kindName, type Named, namedObjects } from '../rest-mapper.ts';
import { selectors } from './get.ts';

type Condition = (object: KubernetesObject | undefined) => boolean;

const POLL_MS = 500;
const DEFAULT_MS = 30_000;
const FOREVER_MS = 7 * 24 * 3600_000;

/** kubectl wait --for=condition=…|delete|create|jsonpath=… */
export const wait: Command = {
  flags: {
    for: { type: 'string' },
    timeout: { type: 'string' },
    selector: { type: 'string', short: 'l' },
    'field-selector': { type: 'string' },
    all: { type: 'boolean' },
    'all-namespaces': { type: 'boolean', short: 'A' },
    ...FILE_FLAGS,
  },
  async run(context) {
    const goal = context.flags.string('for') ?? '';
    if (!context.args.length && !context.flags.list('filename').length) throw new KubectlError(NOTHING_NAMED);
    const condition = readCondition(goal);
    const targets = await findTargets(context, goal);
    const until = context.client.actor.simulation.now + timeoutOf(context);
    for (const target of targets) await waitFor(context, { target, condition, goal, until });
  },
};

/** What a command says that needs to be told which objects it is about. */
export const NOTHING_NAMED = `error: You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

/** The time that a command may take, in milliseconds. @throws KubectlError */
export function timeoutOf({ flags }: CommandContext, otherwise = DEFAULT_MS): number {
  const text = flags.string('timeout');
  if (text === undefined) return otherwise;
  const ms = text === '0' ? 0 : text.startsWith('-') ? FOREVER_MS : parseDuration(text);
  if (ms === undefined)
    throw new KubectlError(
      `error: invalid argument "${text}" for "--timeout" flag: time: invalid duration "${text}"\nSee 'kubectl --help' for usage.`,
    );
  return ms;
}

function readCondition(goal: string): Condition {
  if (goal === 'delete') return (object) => object === undefined;
  if (goal === 'create') return (object) => object !== undefined;
  const [kind, rest = ''] = goal.split(/=(.*)/s);
  if (kind === 'condition') {
    const [type = '', status = 'true'] = rest.split('=');
    return (object) => hasCondition(object, type.toLowerCase(), status.toLowerCase());
  }
  if (kind === 'jsonpath') {
    const [, path = '', wanted] = /^(\{.*\}|[^=]*)(?:=(.*))?$/s.exec(rest) ?? [];
    return (object) => {
      const found = valuesAt(path, object);
      return found.length > 0 && (wanted === undefined || found.some((value) => valueText(value) === wanted.replace(/^["']|["']$/g, '')));
    };
  }
  throw new KubectlError(`error: unrecognized condition: ${JSON.stringify(goal)}`);
}

interface ConditionFields {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
}

/** A condition that is about an older version of the object does not count. */
function hasCondition(object: KubernetesObject | undefined, type: string, status: string): boolean {
  const { conditions = [], observedGeneration } =
    (object as { status?: { conditions?: ConditionFields[]; observedGeneration?: number } } | undefined)?.status ?? {};
  const found = conditions.find((each) => each.type?.toLowerCase() === type);
  const seen = found?.observedGeneration ?? observedGeneration;
  return found?.status?.toLowerCase() === status && (seen === undefined || seen >= (object?.metadata.generation ?? 0));
}

async function findTargets(context: CommandContext, goal: string): Promise<(Named & { name: string })[]> {
  const { flags, client } = context;
  if (flags.list('filename').length)
    return (await fileObjects(context)).map(({ resource, object }) => ({ resource, name: object.metadata.name ?? '' }));
  const targets: (Named & { name: string })[] = [];
  for (const { resource, name } of await namedObjects(client, context.args)) {
    if (name !== undefined) targets.push({ resource, name });
    else if (!flags.boolean('all') && flags.string('selector') === undefined && flags.string('field-selector') === undefined)
      throw new KubectlError('error: resource(s) were provided, but no name was specified');
    else {
      const { items } = await client
        .resource(resource)
        .list({ namespace: placeOf(context, resource, '').namespace, ...selectors(context) });
      targets.push(...items.map(({ metadata }) => ({ resource, name: metadata.name ?? '' })));
    }
  }
  if (!targets.length && goal !== 'delete') throw new KubectlError('error: no matching resources found');
  return targets;
}

async function waitFor(
  context: CommandContext,
  {
    target: { resource, name },
    condition,
    goal,
    until,
  }: { target: Named & { name: string }; condition: Condition; goal: string; until: number },
): Promise<void> {
  const { simulation } = context.client.actor;
  const at = placeOf(context, resource, name);
  for (;;) {
    const object = await context.client
      .resource(resource)
      .get(at)
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        if (goal !== 'delete' && goal !== 'create') throw new KubectlError(errorText(error));
        return undefined;
      });
    if (condition(object)) {
      if (object || goal !== 'delete') context.out(`${kindName(resource)}/${name} condition met`);
      return;
    }
    if (simulation.now >= until)
      throw new KubectlError(
        goal === 'create'
          ? 'error: timed out waiting for the condition'
          : `error: timed out waiting for the condition on ${resource.resource}/${name}`,
      );
    await context.sleep(Math.min(POLL_MS, Math.max(1, until - simulation.now)));
  }
}
