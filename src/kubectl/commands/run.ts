import type { Pod, Service } from '../../api/kinds/core-v1.ts';
import { applyMergePatch } from '../../api/merge-patch.ts';
import { pods, services } from '../../api/resources.ts';
import { schemaOf } from '../../api/schema.ts';
import { applyStrategicMergePatch } from '../../api/strategic-merge-patch.ts';
import type { Command, CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { readLabels } from '../labels.ts';
import { MAKE_FLAGS, makeObject } from '../make-object.ts';
import { deleteCommand } from './delete.ts';
import { attachTo } from './exec.ts';
import { logs } from './logs.ts';
import { parsePatch } from './patch.ts';

const HELP = "\nSee 'kubectl run -h' for help and examples";

/** kubectl run NAME --image=IMAGE: one pod. Differs: with `-i`, only what is piped in is typed. */
export const run: Command = {
  flags: {
    ...MAKE_FLAGS,
    image: { type: 'string' },
    port: { type: 'string' },
    env: { type: 'list' },
    labels: { type: 'string', short: 'l' },
    annotations: { type: 'list' },
    restart: { type: 'string' },
    command: { type: 'boolean' },
    expose: { type: 'boolean' },
    'image-pull-policy': { type: 'string' },
    privileged: { type: 'boolean' },
    attach: { type: 'boolean' },
    overrides: { type: 'string' },
    'override-type': { type: 'string' },
    quiet: { type: 'boolean', short: 'q' },
    wait: { type: 'boolean' },
    'grace-period': { type: 'string' },
    rm: { type: 'boolean' },
    stdin: { type: 'boolean', short: 'i' },
    tty: { type: 'boolean', short: 't' },
  },
  async run(context) {
    const { flags, args, after } = context;
    const [name] = args.slice(0, args.length - after.length);
    if (!name) throw new KubectlError(`error: NAME is required for run${HELP}`);
    if (flags.string('image') === undefined) throw new KubectlError('error: required flag(s) "image" not set');
    if (!flags.string('image')) throw new KubectlError('error: --image is required');
    const attaches = flags.boolean('attach', flags.boolean('stdin') || flags.boolean('tty'));
    if (flags.boolean('rm') && !attaches) throw new KubectlError(`error: --rm should only be used for attached containers${HELP}`);
    if (flags.boolean('expose') && flags.string('port') === undefined)
      throw new KubectlError(`error: --port must be set when exposing a service${HELP}`);
    if (flags.boolean('expose'))
      await makeObject(context, { resource: services, object: serviceOf(context, name), fieldManager: 'kubectl-run' });
    const object = withOverrides(context, podOf(context, name));
    if (!attaches) return makeObject(context, { resource: pods, object, fieldManager: 'kubectl-run' });
    await runAttached(context, await context.client.resource(pods).create(object, { fieldManager: 'kubectl-run' }));
  },
};

const POLL_MS = 1_000;

/** `-i`: attaches once the container runs, and shows the log of one that has ended before that; `--rm` deletes the pod at the end. */
async function runAttached(context: CommandContext, { metadata }: Pod): Promise<void> {
  const at = { namespace: metadata.namespace, name: metadata.name ?? '' };
  const read = (): Promise<Pod> => context.client.resource(pods).get(at);
  try {
    let pod = await read();
    while (pod.status?.phase === 'Pending' || pod.status?.phase === undefined) {
      await context.sleep(POLL_MS);
      pod = await read();
    }
    if (pod.status?.phase === 'Running') await attachTo(context, pod);
    else await logs.run({ ...context, args: [at.name], after: [], flags: context.flags.with({ stdin: '' }) });
    if (pod.spec?.restartPolicy === 'Never') await reportEnd(context, read);
  } finally {
    if (context.flags.boolean('rm')) await deleteCommand.run({ ...context, args: ['pod', at.name], after: [] });
  }
}

/** The exit code becomes that of the container. */
async function reportEnd(context: CommandContext, read: () => Promise<Pod>): Promise<void> {
  let pod = await read();
  while (pod.status?.phase === 'Running') {
    await context.sleep(POLL_MS);
    pod = await read();
  }
  const ended = pod.status?.containerStatuses?.[0]?.state?.terminated;
  if (pod.status?.phase !== 'Failed' || !ended) return;
  context.warn(`pod ${pod.metadata.namespace}/${pod.metadata.name} terminated (${ended.reason})`);
  context.fail(ended.exitCode);
}

/** `--overrides`: a merge patch of what would be made. @throws KubectlError */
function withOverrides({ flags }: CommandContext, pod: Pod): Pod {
  const text = flags.string('overrides');
  if (text === undefined) return pod;
  const type = flags.string('override-type') ?? 'merge';
  if (type !== 'merge' && type !== 'strategic')
    throw new KubectlError(`error: --override-type=${type} is not offered here; merge and strategic are`);
  const patch = parsePatch(text) as Record<string, unknown>;
  return (type === 'merge' ? applyMergePatch(pod, patch) : applyStrategicMergePatch(pod, patch, schemaOf('io.k8s.api.core.v1.Pod'))) as Pod;
}

function podOf({ flags, args, after, namespace }: CommandContext, name: string): Pod {
  const restartPolicy = flags.string('restart') ?? 'Always';
  if (!['Always', 'OnFailure', 'Never'].includes(restartPolicy))
    throw new KubectlError(`error: invalid restart policy: ${restartPolicy}${HELP}`);
  const words = after.length ? after : args.slice(1);
  const env = flags.list('env').map((pair) => {
    const [key = '', value] = pair.split(/=(.*)/s);
    if (value === undefined) throw new KubectlError(`error: invalid env: ${pair}`);
    return { name: key, value };
  });
  const port = flags.number('port');
  const policy = flags.string('image-pull-policy');
  const annotations = flags.list('annotations').length ? readLabels(flags.list('annotations').join(',')) : undefined;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(annotations ? { annotations } : {}),
      labels: flags.string('labels') ? readLabels(flags.string('labels') ?? '') : { run: name },
      name,
      namespace,
    },
    spec: {
      containers: [
        {
          ...(words.length ? (flags.boolean('command') ? { command: [...words] } : { args: [...words] }) : {}),
          ...(env.length ? { env } : {}),
          image: flags.string('image'),
          ...(policy ? { imagePullPolicy: policy } : {}),
          name,
          ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
          resources: {},
          ...(flags.boolean('privileged') ? { securityContext: { privileged: true } } : {}),
        },
      ],
      dnsPolicy: 'ClusterFirst',
      restartPolicy,
    },
    status: {},
  } as Pod;
}

function serviceOf({ flags, namespace }: CommandContext, name: string): Service {
  const port = flags.number('port');
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: { run: name } },
    status: { loadBalancer: {} },
  } as Service;
}
