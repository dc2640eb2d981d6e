import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { BUILT_IN_RESOURCES, selfsubjectaccessreviews } from '../../api/resources.ts';
import type { Command, CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { resourceFor } from '../rest-mapper.ts';

const KNOWN_VERBS = new Set([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'use',
  'bind',
  'impersonate',
  '*',
  'approve',
  'sign',
  'escalate',
  'attest',
]);

/** kubectl auth can-i VERB RESOURCE, auth whoami */
export const auth: Command = {
  flags: { subresource: { type: 'string' }, 'all-namespaces': { type: 'boolean', short: 'A' }, quiet: { type: 'boolean', short: 'q' } },
  async run(context) {
    const [what, ...words] = context.args;
    if (what === 'can-i') return canI(context, words);
    if (what === 'whoami') return whoAmI(context);
    throw new KubectlError(`error: unknown command "${what ?? ''}" for "kubectl auth"`);
  },
};

async function canI(context: CommandContext, [verb, target, ...more]: readonly string[]): Promise<void> {
  if (verb === undefined || target === undefined || more.length)
    throw new KubectlError(
      "error: you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.",
    );
  const spec = target.startsWith('/')
    ? { nonResourceAttributes: { path: target, verb } }
    : { resourceAttributes: await attributes(context, verb, target) };
  const review = (await context.client.resource(selfsubjectaccessreviews).create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec,
  } as never)) as KubernetesObject & {
    status?: { allowed?: boolean; reason?: string; evaluationError?: string };
  };
  const allowed = review.status?.allowed === true;
  const quiet = context.flags.boolean('quiet');
  if (allowed) return quiet ? undefined : context.out('yes');
  const { evaluationError } = review.status ?? {};
  if (!quiet) context.out(`no${evaluationError ? ` - ${evaluationError}` : ''}`);
  context.fail();
}

async function attributes(context: CommandContext, verb: string, target: string): Promise<object> {
  const [word = '', name] = target.split('/');
  if (!KNOWN_VERBS.has(verb)) context.warn(`Warning: verb '${verb}' is not a known verb\n`);
  const found = word === '*' ? undefined : await resourceFor(context.client, word).catch(() => undefined);
  if (!found && word !== '*') context.warn(`Warning: the server doesn't have a resource type '${word}'\n`);
  const everywhere = context.flags.boolean('all-namespaces');
  if (found && !found.namespaced && !everywhere)
    context.warn(`Warning: resource '${found.resource}' is not namespace scoped${found.group ? ` in group '${found.group}'` : ''}\n`);
  const subresource = context.flags.string('subresource') ?? (name !== undefined && isSubresource(found, name) ? name : undefined);
  return {
    ...(everywhere ? {} : { namespace: context.namespace }),
    verb,
    group: word === '*' ? '*' : (found?.group ?? ''),
    resource: found?.resource ?? word,
    ...(subresource ? { subresource } : {}),
    ...(name !== undefined && subresource !== name ? { name } : {}),
  };
}

function isSubresource(resource: Resource | undefined, name: string): boolean {
  const known = BUILT_IN_RESOURCES.find((each) => each.resource === resource?.resource && each.group === resource.group);
  return (known?.subresources as readonly string[] | undefined)?.includes(name) ?? false;
}

function whoAmI(context: CommandContext): void {
  const { username, groups } = context.client.user;
  const rows = [
    ['ATTRIBUTE', 'VALUE'],
    ['Username', username],
    ['Groups', `[${groups.join(' ')}]`],
  ];
  for (const [name = '', value] of rows) context.out(`${name.padEnd(12)}${value}`);
}
