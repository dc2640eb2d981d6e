import { base64ToBytes } from '../../api/base64.ts';
import { deepEqual } from '../../api/deep-equal.ts';
import type { EnvVar, PodSpec } from '../../api/kinds/core-v1.ts';
import type { Resource } from '../../api/resource.ts';
import { configmaps, secrets } from '../../api/resources.ts';
import { type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { namedObjects } from '../rest-mapper.ts';
import { chosenContainers } from './chosen-containers.ts';

/** What `kubectl set env` sets: `A=1` on the command line, and each key of what `--from` names. @throws KubectlError, ApiStatusError */
export async function readEnvironment(context: CommandContext, changes: readonly string[]): Promise<EnvVar[]> {
  const given = changes.filter((word) => word.includes('=')).map((word) => word.split(/=(.*)/s, 2) as [string, string]);
  return [...given.map(([name, value]) => ({ name, value })), ...(await variablesFrom(context))];
}

/** `--from=configmap/NAME`: a variable for each key, which refers to it. */
async function variablesFrom(context: CommandContext): Promise<EnvVar[]> {
  const { flags, client } = context;
  const from = flags.string('from');
  if (from === undefined) return [];
  const [named] = await namedObjects(client, [from]);
  if (named?.name === undefined || !['ConfigMap', 'Secret'].includes(named.resource.kind))
    throw new KubectlError('error: unsupported resource specified in --from');
  const { name } = named;
  const object = await client.resource(named.resource).get(placeOf(context, named.resource, name));
  const wanted = flags.list('keys');
  const keys = Object.keys((object as { data?: object }).data ?? {}).filter((key) => !wanted.length || wanted.includes(key));
  return keys.sort().map((key) => {
    const variable = key.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
    if (variable !== key) context.warn(`Warning: key ${key} transferred to ${variable}`);
    const reference = { key, name };
    return {
      name: `${flags.string('prefix') ?? ''}${variable}`,
      valueFrom: named.resource.kind === 'Secret' ? { secretKeyRef: reference } : { configMapKeyRef: reference },
    };
  });
}

/** The part of a patch that sets variables, and takes away those that end with a dash; undefined when nothing changes. */
export function setEnvironment(
  context: CommandContext,
  spec: PodSpec,
  { variables, changes }: { variables: readonly EnvVar[]; changes: readonly string[] },
): object | undefined {
  const removed = changes.filter((word) => !word.includes('=')).map((word) => word.slice(0, -1));
  const env = [...variables, ...removed.map((name) => ({ $patch: 'delete', name }))];
  const changed = chosenContainers(context, spec).filter(
    ({ env: old = [] }) =>
      variables.some(
        (variable) =>
          !deepEqual(
            old.find((each) => each.name === variable.name),
            variable,
          ),
      ) || removed.some((name) => old.some((each) => each.name === name)),
  );
  // New ones come last.
  const ordered = (old: readonly EnvVar[]): object[] => {
    const names = new Set([...old, ...variables].map(({ name }) => name).filter((name) => !removed.includes(name)));
    return [...names].map((name) => ({ name }));
  };
  if (!changed.length) return undefined;
  return { containers: changed.map(({ name, env: old = [] }) => ({ name, '$setElementOrder/env': ordered(old), env })) };
}

/** `A=1`, or where the value comes from; with `--resolve` what it is. */
export async function variableText(context: CommandContext, { name, value, valueFrom }: EnvVar): Promise<string> {
  const reference = valueFrom?.configMapKeyRef ?? valueFrom?.secretKeyRef;
  if (!reference) return valueFrom?.fieldRef ? `# ${name} from field path ${valueFrom.fieldRef.fieldPath}` : `${name}=${value ?? ''}`;
  const [resource, word] = valueFrom?.secretKeyRef ? [secrets as Resource, 'secret'] : [configmaps as Resource, 'configmap'];
  if (!context.flags.boolean('resolve')) return `# ${name} from ${word} ${reference.name}, key ${reference.key}`;
  const object = await context.client.resource(resource).get(placeOf(context, resource, reference.name ?? ''));
  const found = (object as { data?: Record<string, string> }).data?.[reference.key] ?? '';
  return `${name}=${valueFrom?.secretKeyRef ? new TextDecoder().decode(base64ToBytes(found)) : found}`;
}
