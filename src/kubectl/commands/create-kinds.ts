import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import {
  clusterrolebindings,
  clusterroles,
  configmaps,
  cronjobs,
  deployments,
  ingresses,
  jobs,
  namespaces,
  poddisruptionbudgets,
  priorityclasses,
  resourcequotas,
  rolebindings,
  roles,
  secrets,
  serviceaccounts,
  services,
} from '../../api/resources.ts';
import { type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { readLabels } from '../labels.ts';
import { resourceFor } from '../rest-mapper.ts';
import { toJson } from '../yaml-output.ts';
import { dataOf } from './create-data.ts';
import { ingressSpec } from './create-ingress.ts';
import { registryData, tlsData } from './create-secret.ts';

type Made = readonly [KubernetesObject, Resource];
type Generator = (context: CommandContext, words: readonly string[]) => Made | Promise<Made>;

/** The forms of `kubectl create KIND`: kubectl pkg/cmd/create. */
export const GENERATORS: Readonly<Record<string, Generator>> = {
  deployment,
  namespace: (context, words) => [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: one(context, words) }, spec: {}, status: {} } as KubernetesObject,
    namespaces as Resource,
  ],
  configmap: (context, words) => {
    const name = one(context, words);
    return hashed(context, make(context, configmaps, { name, fields: dataOf(context, { kind: 'ConfigMap', name }) }));
  },
  secret,
  service,
  serviceaccount: (context, words) => make(context, serviceaccounts, { name: one(context, words), fields: {} }),
  job,
  cronjob,
  quota,
  ingress: (context, words) =>
    make(context, ingresses, {
      name: one(context, words),
      ...(context.flags.list('annotation').length ? { annotations: readLabels(context.flags.list('annotation').join(',')) } : {}),
      fields: { spec: ingressSpec(context), status: { loadBalancer: {} } },
    }),
  poddisruptionbudget: budget,
  role: (context, words) => roleOf(context, roles, words),
  clusterrole: (context, words) => roleOf(context, clusterroles, words),
  rolebinding: (context, words) => bindingOf(context, rolebindings, words),
  clusterrolebinding: (context, words) => bindingOf(context, clusterrolebindings, words),
  priorityclass: (context, words) =>
    make(context, priorityclasses, {
      name: one(context, words),
      fields: {
        value: context.flags.number('value') ?? 0,
        ...(context.flags.boolean('global-default') ? { globalDefault: true } : {}),
        description: context.flags.string('description') ?? '',
        preemptionPolicy: 'PreemptLowerPriority',
      },
    }),
};

/** The one name that must be given. */
function one({ args }: CommandContext, words: readonly string[]): string {
  const [name] = words;
  const [kind = '', form = ''] = args;
  const command = kind === 'secret' || kind === 'service' ? `${kind} ${form}` : kind;
  if (words.length !== 1 || !name)
    throw new KubectlError(
      `error: exactly one NAME is required, got ${words.length}\nSee 'kubectl create ${command} -h' for help and examples`,
    );
  return name;
}

function make(
  { namespace }: CommandContext,
  resource: Resource,
  { name, fields, labels, annotations }: { name: string; fields: object; labels?: object; annotations?: object },
): Made {
  const { group, version, kind, namespaced } = resource;
  const metadata = { ...(annotations ? { annotations } : {}), ...(labels ? { labels } : {}), name, ...(namespaced ? { namespace } : {}) };
  return [{ apiVersion: group ? `${group}/${version}` : version, kind, metadata, ...fields } as KubernetesObject, resource];
}

/** `registry/library/nginx:1.27@sha256:…` → `nginx` */
function containerName(image: string): string {
  return (image.split('/').at(-1) ?? image).replace(/[:@].*$/, '');
}

function requireFlag(context: CommandContext, name: string): string {
  const value = context.flags.list(name)[0];
  if (!value) throw new KubectlError(`error: required flag(s) "${name}" not set`);
  return value;
}

function deployment(context: CommandContext, words: readonly string[]): Made {
  const name = one(context, words);
  requireFlag(context, 'image');
  const { flags, after } = context;
  const port = flags.number('port');
  const images = flags.list('image');
  if (after.length && images.length > 1) throw new KubectlError('error: cannot specify multiple --image options and command');
  const containers = images.map((image) => ({
    ...(after.length ? { command: [...after] } : {}),
    image,
    name: containerName(image),
    ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
    resources: {},
  }));
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: flags.number('replicas') ?? 1, selector: { matchLabels: labels }, strategy: {}, template };
  return make(context, deployments, { name, labels, fields: { spec, status: {} } });
}

function secret(context: CommandContext, [form, ...words]: readonly string[]): Made {
  if (form !== 'generic' && form !== 'tls' && form !== 'docker-registry')
    throw new KubectlError(`error: unknown command "${[form, ...words].join(' ')}"\nSee 'kubectl create secret -h' for help and examples`);
  const name = one(context, words);
  const asked = context.flags.string('type');
  const type = form === 'tls' ? 'kubernetes.io/tls' : form === 'docker-registry' ? 'kubernetes.io/dockerconfigjson' : asked;
  const fields =
    form === 'tls' ? tlsData(context) : form === 'docker-registry' ? registryData(context) : dataOf(context, { kind: 'Secret', name });
  return hashed(context, make(context, secrets, { name, fields: { ...fields, ...(type ? { type } : {}) } }));
}

function quota(context: CommandContext, words: readonly string[]): Made {
  const hard = (context.flags.string('hard') ?? '').split(',').filter(Boolean);
  for (const pair of hard)
    if (!/^[^=]+=[^=]+$/.test(pair)) throw new KubectlError(`error: Invalid argument syntax ${pair}, expected <resource>=<value>`);
  const scopes = context.flags.list('scopes');
  const spec = { ...(hard.length ? { hard: readLabels(hard.join(',')) } : {}), ...(scopes.length ? { scopes } : {}) };
  return make(context, resourcequotas, { name: one(context, words), fields: { spec, status: {} } });
}

/** `--append-hash`: the name ends with a hash of what is in it. kubectl pkg/util/hash */
function hashed({ flags }: CommandContext, [object, resource]: Made): Made {
  if (!flags.boolean('append-hash')) return [object, resource];
  const { data = {}, kind, type } = object as KubernetesObject & { data?: object; type?: string };
  const { name = '' } = object.metadata;
  const content = { kind, name, data, ...(kind === 'Secret' ? { type: type ?? '' } : {}) };
  const letters = bytesToHex(sha256(new TextEncoder().encode(toJson(content)))).slice(0, 10);
  const others: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };
  const hash = letters.replace(/[013ae]/g, (letter) => others[letter] ?? letter);
  return [{ ...object, metadata: { ...object.metadata, name: `${name}-${hash}` } }, resource];
}

const SERVICE_TYPES: Readonly<Record<string, string>> = {
  clusterip: 'ClusterIP',
  nodeport: 'NodePort',
  loadbalancer: 'LoadBalancer',
  externalname: 'ExternalName',
};

function service(context: CommandContext, [kind = '', ...words]: readonly string[]): Made {
  const { flags } = context;
  const type = SERVICE_TYPES[kind];
  if (!type) throw new KubectlError(`error: create service takes one of ${Object.keys(SERVICE_TYPES).join(', ')}`);
  const name = one(context, words);
  const labels = { app: name };
  const nodePort = flags.number('node-port');
  const ports = flags.list('tcp').map((pair) => {
    const [port = '', target = port] = pair.split(':');
    return {
      name: pair.includes(':') ? `${port}-${target}` : port,
      ...(nodePort ? { nodePort } : {}),
      port: Number(port),
      protocol: 'TCP',
      targetPort: /^\d+$/.test(target) ? Number(target) : target,
    };
  });
  const clusterIP = flags.string('clusterip');
  if (!ports.length && type !== 'ExternalName' && clusterIP !== 'None')
    throw new KubectlError('error: at least one tcp port specifier must be provided');
  const externalName = flags.string('external-name');
  const spec = {
    ...(clusterIP ? { clusterIP } : {}),
    ...(externalName ? { externalName } : {}),
    ...(ports.length ? { ports } : {}),
    selector: labels,
    type,
  };
  return make(context, services, { name, labels, fields: { spec, status: { loadBalancer: {} } } });
}

/** `--from=cronjob/x`: what the cron job would start. */
async function job(context: CommandContext, words: readonly string[]): Promise<Made> {
  const { flags, after, client } = context;
  const name = one(context, words);
  const from = flags.string('from');
  if (!from) {
    if (!flags.list('image').length) throw new KubectlError('error: either --image or --from must be specified');
    return make(context, jobs, {
      name,
      fields: {
        spec: { template: jobTemplate(flags.list('image')[0] ?? '', { name, command: after, restartPolicy: 'Never' }) },
        status: {},
      },
    });
  }
  const source = from.split('/')[1] ?? '';
  const cronJob = await client.resource(cronjobs).get(placeOf(context, cronjobs, source));
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  const [object, resource] = make(context, jobs, {
    name,
    ...(metadata?.labels ? { labels: metadata.labels } : {}),
    fields: { spec, status: {} },
  });
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: source, uid: cronJob.metadata.uid ?? '', controller: true };
  const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual', ...metadata?.annotations };
  return [{ ...object, metadata: { ...object.metadata, annotations, ownerReferences: [owner] } }, resource];
}

function jobTemplate(
  image: string,
  { name, command, restartPolicy }: { name: string; command: readonly string[]; restartPolicy: string },
): object {
  return {
    metadata: {},
    spec: { containers: [{ ...(command.length ? { command: [...command] } : {}), image, name, resources: {} }], restartPolicy },
  };
}

function cronjob(context: CommandContext, words: readonly string[]): Made {
  const name = one(context, words);
  const image = requireFlag(context, 'image');
  const schedule = context.flags.string('schedule');
  if (!schedule) throw new KubectlError('error: required flag(s) "schedule" not set');
  const template = jobTemplate(image, { name, command: context.after, restartPolicy: context.flags.string('restart') ?? 'OnFailure' });
  return make(context, cronjobs, {
    name,
    fields: { spec: { jobTemplate: { metadata: { name }, spec: { template } }, schedule }, status: {} },
  });
}

function budget(context: CommandContext, words: readonly string[]): Made {
  const { flags } = context;
  const selector = flags.string('selector');
  const [min, max] = [flags.string('min-available'), flags.string('max-unavailable')];
  if (!selector) throw new KubectlError('error: a selector must be specified');
  if (min === undefined && max === undefined) throw new KubectlError('error: one of min-available or max-unavailable must be specified');
  const amount = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);
  const spec = {
    ...(max === undefined ? { minAvailable: amount(min ?? '') } : { maxUnavailable: amount(max) }),
    selector: { matchLabels: readLabels(selector) },
  };
  return make(context, poddisruptionbudgets, {
    name: one(context, words),
    fields: { spec, status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 } },
  });
}

async function roleOf(context: CommandContext, resource: Resource, words: readonly string[]): Promise<Made> {
  const { flags, client } = context;
  const name = one(context, words);
  const verbs = flags.list('verb');
  if (!verbs.length) throw new KubectlError('error: at least one verb must be specified');
  if (!flags.list('resource').length) throw new KubectlError('error: at least one resource must be specified');
  const byGroup = new Map<string, string[]>();
  for (const word of flags.list('resource')) {
    const [type = '', sub] = word.split('/');
    const found = await resourceFor(client, type);
    byGroup.set(found.group, [...(byGroup.get(found.group) ?? []), sub ? `${found.resource}/${sub}` : found.resource]);
  }
  const resourceNames = flags.list('resource-name');
  const rules = [...byGroup].map(([group, list]) => ({
    apiGroups: [group],
    ...(resourceNames.length ? { resourceNames } : {}),
    resources: list,
    verbs,
  }));
  return make(context, resource, { name, fields: { rules } });
}

function bindingOf(context: CommandContext, resource: Resource, words: readonly string[]): Made {
  const { flags } = context;
  const [role, clusterRole] = [flags.string('role'), flags.string('clusterrole')];
  if ((role === undefined) === (clusterRole === undefined))
    throw new KubectlError('error: exactly one of clusterrole or role must be specified');
  const apiGroup = 'rbac.authorization.k8s.io';
  const subjects = [
    ...flags.list('user').map((name) => ({ apiGroup, kind: 'User', name })),
    ...flags.list('group').map((name) => ({ apiGroup, kind: 'Group', name })),
    ...flags.list('serviceaccount').map((pair) => {
      const [namespace, name] = pair.split(':');
      if (!namespace || !name) throw new KubectlError('error: serviceaccount must be <namespace>:<name>');
      return { kind: 'ServiceAccount', name, namespace };
    }),
  ];
  const roleRef = { apiGroup, kind: role === undefined ? 'ClusterRole' : 'Role', name: role ?? clusterRole ?? '' };
  return make(context, resource, { name: one(context, words), fields: { roleRef, ...(subjects.length ? { subjects } : {}) } });
}
