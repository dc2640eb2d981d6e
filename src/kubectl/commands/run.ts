import type { Pod, Service } from '../../api/kinds/core-v1.ts';
import { pods, services } from '../../api/resources.ts';
import type { Command, CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { readLabels } from '../labels.ts';
import { MAKE_FLAGS, makeObject } from '../make-object.ts';

const HELP = "\nSee 'kubectl run -h' for help and examples";

/** kubectl run NAME --image=IMAGE: one pod. Differs: nobody can be attached to it (`-i`, `--rm`). */
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
    rm: { type: 'boolean' },
    stdin: { type: 'boolean', short: 'i' },
    tty: { type: 'boolean', short: 't' },
  },
  async run(context) {
    const { flags, args, after } = context;
    const [name] = args.slice(0, args.length - after.length);
    if (!name) throw new KubectlError(`error: NAME is required for run${HELP}`);
    if (flags.boolean('stdin') || flags.boolean('tty'))
      throw new KubectlError('error: run -i and -t are not offered here: there is nothing to attach to; use kubectl logs and kubectl exec');
    if (flags.boolean('rm')) throw new KubectlError(`error: --rm should only be used for attached containers${HELP}`);
    if (!flags.string('image')) throw new KubectlError('error: --image is required');
    if (flags.boolean('expose') && flags.string('port') === undefined)
      throw new KubectlError(`error: --port must be set when exposing a service${HELP}`);
    if (flags.boolean('expose'))
      await makeObject(context, { resource: services, object: serviceOf(context, name), fieldManager: 'kubectl-run' });
    await makeObject(context, { resource: pods, object: podOf(context, name), fieldManager: 'kubectl-run' });
  },
};

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
