import type { Container, Pod, Service } from '../../api/kinds/core-v1.ts';
import type { LabelSelector } from '../../api/kinds/meta-v1.ts';
import { services } from '../../api/resources.ts';
import { type Command, type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { readLabels } from '../labels.ts';
import { MAKE_FLAGS, makeObject } from '../make-object.ts';
import { namedObjects } from '../rest-mapper.ts';

const EXPOSABLE = new Set(['Pod', 'Service', 'ReplicationController', 'Deployment', 'ReplicaSet']);

interface Exposed {
  readonly kind?: string;
  readonly metadata: Pod['metadata'];
  readonly spec?: {
    readonly selector?: LabelSelector & Record<string, string>;
    readonly template?: { readonly spec?: Pod['spec'] };
    readonly ports?: NonNullable<Service['spec']>['ports'];
    readonly containers?: readonly Container[];
  };
}

/** kubectl expose TYPE NAME: a Service whose selector is that of the object. */
export const expose: Command = {
  flags: {
    ...MAKE_FLAGS,
    name: { type: 'string' },
    port: { type: 'string' },
    'target-port': { type: 'string' },
    type: { type: 'string' },
    protocol: { type: 'string' },
    'cluster-ip': { type: 'string' },
    selector: { type: 'string' },
    labels: { type: 'string', short: 'l' },
    'session-affinity': { type: 'string' },
    'external-ip': { type: 'string' },
  },
  async run(context) {
    for (const { resource, name } of await namedObjects(context.client, context.args)) {
      if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
      const object = (await context.client.resource(resource).get(placeOf(context, resource, name))) as Exposed;
      if (!EXPOSABLE.has(resource.kind)) throw new KubectlError(`error: cannot expose a ${resource.kind}`);
      await makeObject(context, {
        resource: services,
        object: serviceFor(context, object),
        fieldManager: 'kubectl-expose',
        verb: 'exposed',
      });
    }
  },
};

function serviceFor(context: CommandContext, object: Exposed): Service {
  const { flags, namespace } = context;
  const selector = flags.string('selector') ? readLabels(flags.string('selector') ?? '') : selectorOf(object);
  const labels = flags.string('labels') ? readLabels(flags.string('labels') ?? '') : object.metadata.labels;
  const [type, clusterIP, affinity, externalIp] = ['type', 'cluster-ip', 'session-affinity', 'external-ip'].map((name) =>
    flags.string(name),
  );
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...(labels ? { labels } : {}), name: flags.string('name') ?? object.metadata.name ?? '', namespace },
    spec: {
      ...(clusterIP ? { clusterIP } : {}),
      ...(externalIp ? { externalIPs: [externalIp] } : {}),
      ports: portsFor(context, object),
      selector,
      ...(affinity ? { sessionAffinity: affinity } : {}),
      ...(type ? { type } : {}),
    },
    status: { loadBalancer: {} },
  } as Service;
}

function selectorOf({ kind, metadata, spec }: Exposed): Record<string, string> {
  if (kind === 'Pod') {
    if (!metadata.labels)
      throw new KubectlError(
        "error: couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed",
      );
    return metadata.labels;
  }
  if (kind === 'Service' || kind === 'ReplicationController') return spec?.selector ?? {};
  if (spec?.selector?.matchExpressions?.length)
    throw new KubectlError(
      `error: couldn't retrieve selectors via --selector flag or introspection: couldn't convert expressions - "${JSON.stringify(spec.selector.matchExpressions)}" to map-based selector format`,
    );
  return spec?.selector?.matchLabels ?? {};
}

type Port = NonNullable<NonNullable<Service['spec']>['ports']>[number];

function portsFor({ flags }: CommandContext, { kind, spec }: Exposed): Port[] {
  const given = flags.string('port');
  const target = flags.string('target-port');
  const containers = kind === 'Pod' ? spec?.containers : spec?.template?.spec?.containers;
  const found =
    kind === 'Service'
      ? (spec?.ports ?? []).map(({ port, protocol }) => ({ port, protocol }))
      : (containers ?? []).flatMap(({ ports = [] }) => ports.map(({ containerPort, protocol }) => ({ port: containerPort, protocol })));
  const ports =
    given === undefined
      ? found
      : given.split(',').map((port) => ({ port: Number(port), protocol: found.find((each) => each.port === Number(port))?.protocol }));
  if (!ports.length) throw new KubectlError("error: couldn't find port via --port flag or introspection");
  return ports.map(({ port, protocol }, index) => ({
    ...(ports.length > 1 ? { name: `port-${index + 1}` } : {}),
    port,
    protocol: flags.string('protocol') ?? protocol ?? 'TCP',
    targetPort: target === undefined ? port : /^\d+$/.test(target) ? Number(target) : target,
  })) as Port[];
}
