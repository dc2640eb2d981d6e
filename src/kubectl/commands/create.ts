import type { Service } from '../../api/kinds/core-v1.ts';
import { services } from '../../api/resources.ts';
import { ApiStatusError } from '../../api/status-error.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, untilServed } from '../command.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { withLastApplied } from '../last-applied.ts';
import { dryRunNote, dryRunOf, MAKE_FLAGS, makeObject } from '../make-object.ts';
import { printValue } from '../output.ts';
import { kindName } from '../rest-mapper.ts';
import { VALIDATE_FLAGS, validation } from '../validation.ts';
import { GENERATORS } from './create-kinds.ts';
import { createToken } from './create-token.ts';

/** kubectl create -f FILE, and create KIND NAME for the kinds that have a form of their own. */
export const create: Command = {
  flags: {
    ...MAKE_FLAGS,
    ...FILE_FLAGS,
    ...VALIDATE_FLAGS,
    'save-config': { type: 'boolean' },
    image: { type: 'list' },
    replicas: { type: 'string', short: 'r' },
    port: { type: 'string' },
    'from-literal': { type: 'repeated' },
    'from-file': { type: 'repeated' },
    'from-env-file': { type: 'repeated' },
    from: { type: 'string' },
    schedule: { type: 'string' },
    restart: { type: 'string' },
    tcp: { type: 'list' },
    'node-port': { type: 'string' },
    clusterip: { type: 'string' },
    'external-name': { type: 'string' },
    hard: { type: 'string' },
    selector: { type: 'string' },
    'min-available': { type: 'string' },
    'max-unavailable': { type: 'string' },
    verb: { type: 'list' },
    resource: { type: 'list' },
    'resource-name': { type: 'list' },
    role: { type: 'string' },
    clusterrole: { type: 'string' },
    user: { type: 'list' },
    group: { type: 'list' },
    serviceaccount: { type: 'list' },
    value: { type: 'string' },
    description: { type: 'string' },
    'global-default': { type: 'boolean' },
    rule: { type: 'repeated' },
    class: { type: 'string' },
    type: { type: 'string' },
    'append-hash': { type: 'boolean' },
    scopes: { type: 'list' },
    annotation: { type: 'repeated' },
    'default-backend': { type: 'string' },
    cert: { type: 'string' },
    key: { type: 'string' },
    'docker-server': { type: 'string' },
    'docker-username': { type: 'string' },
    'docker-password': { type: 'string' },
    'docker-email': { type: 'string' },
    duration: { type: 'string' },
    audience: { type: 'repeated' },
    'field-manager': { type: 'string' },
  },
  async run(context) {
    if (context.flags.list('filename').length || context.flags.string('kustomize') !== undefined) return createFromFiles(context);
    const [kind, ...words] = context.args.slice(0, context.args.length - context.after.length);
    if (kind === undefined) throw new KubectlError('error: must specify one of -f and -k');
    if (kind === 'token') return createToken(context, words);
    const generator = GENERATORS[ALIASES[kind] ?? kind];
    if (!generator) throw new KubectlError(`error: create ${kind} is not offered here; use create -f FILE`);
    const [object, resource] = await generator(context, words);
    try {
      await makeObject(context, { resource, object, fieldManager: 'kubectl-create' });
    } catch (error) {
      if (!(error instanceof ApiStatusError) || resource.kind === 'Namespace') throw error;
      const type = resource === services ? `${(object as Service).spec?.type} ` : '';
      throw new KubectlError(
        `error: failed to create ${type}${resource.singular}${resource.singular === 'secret' ? '' : ':'} ${error.message}`,
      );
    }
  },
};

const ALIASES: Readonly<Record<string, string>> = {
  deploy: 'deployment',
  dep: 'deployment',
  ns: 'namespace',
  cm: 'configmap',
  svc: 'service',
  sa: 'serviceaccount',
  cj: 'cronjob',
  pdb: 'poddisruptionbudget',
  resourcequota: 'quota',
  pc: 'priorityclass',
  ing: 'ingress',
};

async function createFromFiles(context: CommandContext): Promise<void> {
  const objects = await fileObjects(context);
  const dryRun = dryRunOf(context);
  const output = context.flags.string('output');
  if (!objects.length) throw new KubectlError('error: no objects passed to create');
  for (const { object: given, resource, source } of objects) {
    try {
      await untilServed(context, resource);
      const object = context.flags.boolean('save-config') ? withLastApplied(given) : given;
      const options = {
        fieldManager: 'kubectl-create',
        ...validation(context),
        ...(dryRun === 'server' ? { dryRun: true } : {}),
      } as const;
      const answer = dryRun === 'client' ? object : await context.client.resource(resource).create(object, options);
      // A Binding is answered with a Status, and then kubectl goes on with what it has sent.
      const created = answer.kind === 'Status' ? object : answer;
      const name = `${kindName(resource)}/${created.metadata.name}`;
      if (output) printValue(context, output, { value: created, name });
      else context.out(`${name} created${dryRunNote(context)}`);
    } catch (error) {
      context.error(errorText(error, `error when creating "${source}"`));
    }
  }
}
