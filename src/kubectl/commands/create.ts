import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { deployments, namespaces } from '../../api/resources.ts';
import { type Command, type CommandContext, fileObjects, untilServed } from '../command.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { kindName } from '../rest-mapper.ts';

/** kubectl create -f FILE, create deployment, create namespace */
export const create: Command = {
  flags: {
    filename: { type: 'list', short: 'f' },
    image: { type: 'list' },
    replicas: { type: 'string', short: 'r' },
    port: { type: 'string' },
  },
  async run(context) {
    if (context.flags.list('filename').length) return createFromFiles(context);
    const [kind, name] = context.args;
    if (kind === 'deployment' || kind === 'deploy') return createOne(context, deployments as Resource, deployment(context, name));
    if (kind === 'namespace' || kind === 'ns')
      return createOne(context, namespaces as Resource, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: required(name) } });
    throw new KubectlError(
      kind === undefined ? 'error: must specify one of -f and -k' : `error: create ${kind} is not offered here; use create -f FILE`,
    );
  },
};

async function createFromFiles(context: CommandContext): Promise<void> {
  const objects = await fileObjects(context);
  if (!objects.length) throw new KubectlError('error: no objects passed to create');
  for (const { object, resource, source } of objects) {
    try {
      await untilServed(context, resource);
      const created = await context.client.resource(resource).create(object, { fieldManager: 'kubectl-create', fieldValidation: 'Strict' });
      context.out(`${kindName(resource)}/${created.metadata.name} created`);
    } catch (error) {
      context.error(errorText(error, `error when creating "${source}"`));
    }
  }
}

async function createOne(context: CommandContext, resource: Resource, object: KubernetesObject): Promise<void> {
  try {
    const created = await context.client.resource(resource).create(object, { fieldManager: 'kubectl-create', fieldValidation: 'Strict' });
    context.out(`${kindName(resource)}/${created.metadata.name} created`);
  } catch (error) {
    const text = errorText(error);
    throw new KubectlError(text.startsWith('The ') ? text : `error: failed to create ${resource.singular}: ${(error as Error).message}`);
  }
}

function required(name: string | undefined): string {
  if (!name) throw new KubectlError('error: exactly one NAME is required, got 0');
  return name;
}

function deployment(context: CommandContext, given: string | undefined): KubernetesObject {
  const name = required(given);
  const images = context.flags.list('image');
  if (!images.length) throw new KubectlError('error: required flag(s) "image" not set');
  const port = context.flags.number('port');
  const containers = images.map((image, index) => ({
    name: containerName(image),
    image,
    resources: {},
    ...(port !== undefined && index === 0 ? { ports: [{ containerPort: port }] } : {}),
  }));
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: context.flags.number('replicas') ?? 1, selector: { matchLabels: labels }, strategy: {}, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: context.namespace, labels }, spec } as KubernetesObject;
}

/** `registry/library/nginx:1.27@sha256:…` → `nginx` */
function containerName(image: string): string {
  return (image.split('/').at(-1) ?? image).replace(/[:@].*$/, '');
}
