import type { Container, EphemeralContainer, Pod, PodSpec } from '../../api/kinds/core-v1.ts';
import { nodes, pods } from '../../api/resources.ts';
import { type Command, type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { podOf } from '../pod-of.ts';
import { namedObjects } from '../rest-mapper.ts';
import { attachTo } from './exec.ts';

const POLL_MS = 1_000;
const PROFILES = ['legacy', 'general', 'baseline', 'netadmin', 'restricted', 'sysadmin'];
/** Where the file system of the node is seen. */
const HOST_ROOT = '/host';

/** kubectl debug POD|node/NAME: a container beside those of a pod, a changed copy of a pod, or a pod in the namespaces of a node. */
export const debug: Command = {
  flags: {
    image: { type: 'string' },
    container: { type: 'string', short: 'c' },
    target: { type: 'string' },
    profile: { type: 'string' },
    'copy-to': { type: 'string' },
    'set-image': { type: 'list' },
    replace: { type: 'boolean' },
    'same-node': { type: 'boolean' },
    'share-processes': { type: 'boolean' },
    env: { type: 'repeated' },
    'image-pull-policy': { type: 'string' },
    arguments: { type: 'boolean' },
    attach: { type: 'boolean' },
    quiet: { type: 'boolean', short: 'q' },
    stdin: { type: 'boolean', short: 'i' },
    tty: { type: 'boolean', short: 't' },
  },
  async run(context) {
    const { args, after, flags } = context;
    const targets = args.slice(0, args.length - after.length);
    if (!targets.length) throw new KubectlError('error: NAME is required for debug');
    const copies = flags.string('copy-to') !== undefined;
    if (!flags.string('image') && !copies) throw new KubectlError('error: you must specify --image when not using --copy-to.');
    const profile = flags.string('profile') ?? 'legacy';
    if (!PROFILES.includes(profile)) throw new KubectlError(`error: unknown profile: ${profile}`);
    if (profile === 'legacy')
      context.warn(
        '--profile=legacy is deprecated and will be removed in the future. It is recommended to explicitly specify a profile, for example "--profile=general".',
      );
    for (const target of targets) {
      const made = await (isNode(target) ? debugNode(context, target) : copies ? copyPod(context, target) : addContainer(context, target));
      if (made && flags.boolean('attach', flags.boolean('stdin'))) await attachWhenRunning(context, made);
    }
  },
};

const isNode = (target: string): boolean => /^(?:node|nodes|no)\//.test(target);

/** What is to be attached to. */
interface Made {
  readonly pod: string;
  readonly container: string;
}

async function addContainer(context: CommandContext, target: string): Promise<Made | undefined> {
  const pod = await podOf(context, target);
  const at = { namespace: pod.metadata.namespace, name: pod.metadata.name ?? '' };
  const beside = context.flags.string('target');
  if (beside)
    context.out(
      `Targeting container "${beside}". If you don't see processes from this container it may be because the container runtime doesn't support this feature.`,
    );
  const container = { ...debugContainer(context, pod), ...(beside ? { targetContainerName: beside } : {}) } as EphemeralContainer;
  const known = (pod.spec?.ephemeralContainers ?? []).some(({ name }) => name === container.name);
  // Asked for again, one that is there stays as it is.
  if (known) return undefined;
  // It comes last.
  const order = [...(pod.spec?.ephemeralContainers ?? []), container].map(({ name }) => ({ name }));
  await context.client
    .resource(pods)
    .patch(
      at,
      { spec: { '$setElementOrder/ephemeralContainers': order, ephemeralContainers: [container] } },
      { type: 'strategic', subresource: 'ephemeralcontainers' },
    );
  return { pod: at.name, container: container.name };
}

/** A copy that nobody owns, without its probes. */
async function copyPod(context: CommandContext, target: string): Promise<Made | undefined> {
  const { flags } = context;
  const { metadata, spec } = await podOf(context, target);
  const images = new Map(flags.list('set-image').map((word) => word.split(/=(.*)/s, 2) as [string, string]));
  const containers = (spec?.containers ?? []).map((container): Container => {
    const { livenessProbe: _, readinessProbe: __, startupProbe: ___, ...rest } = container;
    const image = images.get(container.name) ?? images.get('*');
    return { ...rest, ...(image ? { image } : {}) };
  });
  const added = flags.string('image') && !containers.some(({ name }) => name === flags.string('container'));
  const own = added ? debugContainer(context, { metadata, ...(spec ? { spec } : {}) } as Pod) : undefined;
  const changed = own ? containers : containers.map((container) => changedContainer(context, container));
  const { ephemeralContainers: _, nodeName, ...kept } = spec as PodSpec;
  const copy: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: flags.string('copy-to') ?? '',
      namespace: context.namespace,
      ...(metadata.labels ? { labels: metadata.labels } : {}),
      ...(metadata.annotations ? { annotations: metadata.annotations } : {}),
    },
    spec: {
      ...kept,
      ...(flags.boolean('same-node') && nodeName ? { nodeName } : {}),
      ...(flags.boolean('share-processes', own !== undefined) ? { shareProcessNamespace: true } : {}),
      containers: [...changed, ...(own ? [own as Container] : [])],
    },
  };
  if (flags.boolean('replace'))
    await context.client.resource(pods).delete({ namespace: metadata.namespace, name: metadata.name ?? '' }, { gracePeriodSeconds: 0 });
  await context.client.resource(pods).create(copy);
  return { pod: copy.metadata.name ?? '', container: own?.name ?? changed[0]?.name ?? '' };
}

/** `--image` and a command with the name of a container of the pod change that one. */
function changedContainer({ flags, after }: CommandContext, container: Container): Container {
  if (flags.string('container') !== container.name) return container;
  const image = flags.string('image');
  return { ...container, ...(image ? { image } : {}), ...(after.length ? { command: [...after], args: [] } : {}) };
}

async function debugNode(context: CommandContext, target: string): Promise<Made> {
  const [named] = await namedObjects(context.client, [target]);
  const node = await context.client.resource(nodes).get({ name: named?.name ?? '' });
  const name = `node-debugger-${node.metadata.name}-${suffix(context)}`;
  const container = debugContainer(context, undefined);
  context.out(`Creating debugging pod ${name} with container ${container.name} on node ${node.metadata.name}.`);
  await context.client.resource(pods).create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: context.namespace },
    spec: {
      containers: [{ ...container, volumeMounts: [{ name: 'host-root', mountPath: HOST_ROOT }] } as Container],
      hostIPC: true,
      hostNetwork: true,
      hostPID: true,
      nodeName: node.metadata.name,
      restartPolicy: 'Never',
      tolerations: [{ operator: 'Exists' }],
      volumes: [{ name: 'host-root', hostPath: { path: '/' } }],
    },
  } as Pod);
  return { pod: name, container: container.name };
}

function debugContainer(context: CommandContext, pod: Pod | undefined): Container | EphemeralContainer {
  const { flags, after } = context;
  const env = flags.list('env').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    return { name, value };
  });
  const policy = flags.string('image-pull-policy');
  return {
    name: flags.string('container') ?? newName(context, pod),
    image: flags.string('image'),
    ...(after.length ? (flags.boolean('arguments') ? { args: [...after] } : { command: [...after] }) : {}),
    ...(env.length ? { env } : {}),
    ...(policy ? { imagePullPolicy: policy } : {}),
    ...(flags.boolean('stdin') ? { stdin: true } : {}),
    ...(flags.boolean('tty') ? { tty: true } : {}),
    terminationMessagePolicy: 'File',
    ...(flags.string('profile') === 'sysadmin' ? { securityContext: { privileged: true } } : {}),
    ...(flags.string('profile') === 'netadmin' ? { securityContext: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } } } : {}),
  } as Container;
}

function newName(context: CommandContext, pod: Pod | undefined): string {
  if (!pod) return 'debugger';
  const name = `debugger-${suffix(context)}`;
  if (!context.flags.boolean('quiet')) context.out(`Defaulting debug container name to ${name}.`);
  return name;
}

/** Five letters that nobody has used. */
function suffix({ client }: CommandContext): string {
  const { random, now } = client.actor.simulation;
  return random.fork(`kubectl debug ${now}`).name(5);
}

async function attachWhenRunning(context: CommandContext, { pod: name, container }: Made): Promise<void> {
  for (;;) {
    const pod = await context.client.resource(pods).get(placeOf(context, pods, name));
    const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.ephemeralContainerStatuses ?? [])];
    const { state } = all.find((status) => status.name === container) ?? {};
    if (state?.terminated) return;
    if (state?.running) return attachTo({ ...context, flags: context.flags.with({ container }) }, pod);
    await context.sleep(POLL_MS);
  }
}
