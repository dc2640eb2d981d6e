import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { BUILT_IN_RESOURCES, selfsubjectaccessreviews, selfsubjectreviews, selfsubjectrulesreviews } from '../../api/resources.ts';
import type { Command, CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { printValue } from '../output.ts';
import { resourceFor } from '../rest-mapper.ts';
import { printTable } from '../table.ts';

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
  flags: {
    subresource: { type: 'string' },
    'all-namespaces': { type: 'boolean', short: 'A' },
    quiet: { type: 'boolean', short: 'q' },
    list: { type: 'boolean' },
    'no-headers': { type: 'boolean' },
    output: { type: 'string', short: 'o' },
  },
  async run(context) {
    const [what, ...words] = context.args;
    if (what === 'can-i' && context.flags.boolean('list')) return listRules(context);
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

/** `auth can-i --list`: what the user may do in a namespace. kubectl pkg/cmd/auth printAccess */
async function listRules(context: CommandContext): Promise<void> {
  const review = (await context.client.resource(selfsubjectrulesreviews).create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    metadata: {},
    spec: { namespace: context.namespace },
  } as never)) as { status?: RulesStatus };
  const { resourceRules = [], nonResourceRules = [], evaluationError } = review.status ?? {};
  if (evaluationError) context.warn(`warning: the list may be incomplete: ${evaluationError}`);
  const cells = (list: readonly string[] = []): string => `[${list.join(' ')}]`;
  const rows = [
    ...brokenDown(resourceRules).map(({ resource, names, verbs }) => [resource, '[]', cells(names), cells(verbs)]),
    ...nonResourceRules.flatMap(({ nonResourceURLs = [], verbs }) => nonResourceURLs.map((url) => ['', cells([url]), '[]', cells(verbs)])),
  ];
  const table = {
    columnDefinitions: ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'].map((name) => ({ name, priority: 0 })),
    rows: rows.map((row) => ({ cells: row })),
  };
  const look = { wide: true, namespaces: false, prefix: '', asWritten: true, headings: !context.flags.boolean('no-headers') };
  for (const line of printTable(table, look)) context.out(line);
}

interface RulesStatus {
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly { readonly nonResourceURLs?: readonly string[]; readonly verbs: readonly string[] }[];
  readonly evaluationError?: string;
}

interface ResourceRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** One line for each resource, the verbs of several rules put together: kubectl pkg/describe CombineVerbs, sorted as `describe` sorts them. */
function brokenDown(rules: readonly ResourceRule[]): { resource: string; names: readonly string[]; verbs: string[] }[] {
  const lines = new Map<string, { resource: string; names: readonly string[]; verbs: string[] }>();
  for (const { apiGroups = [], resources = [], resourceNames = [], verbs } of rules)
    for (const group of apiGroups)
      for (const name of resources) {
        const resource = group ? (name === '*' && group === '*' ? '*.*' : `${name}.${group}`) : name;
        const key = `${resource} ${resourceNames.join(',')}`;
        const line = lines.get(key) ?? { resource, names: resourceNames, verbs: [] };
        line.verbs.push(...verbs.filter((verb) => !line.verbs.includes(verb)));
        lines.set(key, line);
      }
  return [...lines.values()];
}

async function whoAmI(context: CommandContext): Promise<void> {
  const { username, groups } = context.client.user;
  const output = context.flags.string('output');
  if (output) {
    const review = await context.client
      .resource(selfsubjectreviews)
      .create({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} } as never);
    return printValue(context, output, { value: review });
  }
  const rows = [
    ['ATTRIBUTE', 'VALUE'],
    ['Username', username],
    ['Groups', `[${groups.join(' ')}]`],
  ];
  for (const [name = '', value] of rows) context.out(`${name.padEnd(12)}${value}`);
}
