import { parseLabelSelector } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { apiVersionOf, type Resource } from '../../api/resource.ts';
import { schemaOfKind } from '../../api/schema.ts';
import { ApiStatusError, isConflict, isNotFound } from '../../api/status-error.ts';
import { createTwoWayMergePatch } from '../../api/strategic-merge-patch.ts';
import { type Command, type CommandContext, FILE_FLAGS, type FileObject, fileObjects, untilServed } from '../command.ts';
import { createThreeWayJsonMergePatch } from '../json-merge-patch.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { LAST_APPLIED, setLastApplied, viewLastApplied, withLastApplied } from '../last-applied.ts';
import { dryRunNote, dryRunOf, MAKE_FLAGS } from '../make-object.ts';
import { printValue } from '../output.ts';
import { prune } from '../prune.ts';
import { kindName } from '../rest-mapper.ts';
import { mergeThreeWay } from '../three-way-merge.ts';
import { VALIDATE_FLAGS, validation } from '../validation.ts';

const MAX_PATCH_RETRIES = 5;

/** kubectl apply -f FILE, client side: creates what is missing, and patches the rest with a three-way merge. */
export const apply: Command = {
  flags: {
    ...MAKE_FLAGS,
    ...FILE_FLAGS,
    ...VALIDATE_FLAGS,
    'server-side': { type: 'boolean' },
    'force-conflicts': { type: 'boolean' },
    'field-manager': { type: 'string' },
    force: { type: 'boolean' },
    overwrite: { type: 'boolean' },
    selector: { type: 'string', short: 'l' },
    prune: { type: 'boolean' },
    'prune-allowlist': { type: 'repeated' },
    all: { type: 'boolean' },
    'create-annotation': { type: 'boolean' },
  },
  async run(context) {
    const [what, ...words] = context.args;
    if (what === 'view-last-applied') return viewLastApplied(context, words);
    if (what === 'set-last-applied') return setLastApplied(context);
    if (what !== undefined)
      throw new KubectlError(`error: Unexpected args: [${context.args.join(' ')}]\nSee 'kubectl apply -h' for help and examples`);
    refuseCombinations(context);
    const objects = selected(context, await fileObjects(context));
    if (!objects.length) throw new KubectlError('error: no objects passed to apply');
    const applied: KubernetesObject[] = [];
    for (const file of objects) {
      try {
        const outcome = await (context.flags.boolean('server-side') ? applyOnServer(context, file) : applyOne(context, file));
        applied.push(outcome.object);
        report(context, file, outcome);
      } catch (error) {
        context.error(applyErrorText(error, file, context.flags.boolean('server-side')));
      }
    }
    if (context.flags.boolean('prune')) await prune(context, applied);
  },
};

function refuseCombinations(context: CommandContext): void {
  const { flags } = context;
  const onServer = flags.boolean('server-side');
  if (!flags.list('filename').length && flags.string('kustomize') === undefined)
    throw new KubectlError('error: must specify one of -f and -k');
  if (flags.boolean('force-conflicts') && !onServer) throw new KubectlError('error: --force-conflicts only works with --server-side');
  if (onServer && dryRunOf(context) === 'client')
    throw new KubectlError("error: --dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  if (onServer && flags.boolean('force')) throw new KubectlError('error: --force cannot be used with --server-side');
  if (flags.boolean('prune') && !flags.boolean('all') && !flags.string('selector'))
    throw new KubectlError(
      'error: all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    );
}

/** Those of the objects that `-l` picks. */
function selected({ flags }: CommandContext, objects: readonly FileObject[]): readonly FileObject[] {
  const text = flags.string('selector');
  if (!text) return objects;
  const selector = parseLabelSelector(text);
  return objects.filter(({ object }) => selector.matches(object.metadata.labels ?? {}));
}

const CONFLICT_ADVICE = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;

function applyErrorText(error: unknown, { source }: FileObject, onServer: boolean): string {
  const conflicts =
    error instanceof ApiStatusError && error.status.details?.causes?.some(({ reason }) => reason === 'FieldManagerConflict');
  if (conflicts) return `error: ${error.message}\n${CONFLICT_ADVICE}`;
  return errorText(error, onServer ? undefined : `error when applying "${source}"`);
}

/** What came of it, and the object as it is then. */
interface Applied {
  readonly word: string;
  readonly object: KubernetesObject;
}

function report(context: CommandContext, { resource }: FileObject, { word, object }: Applied): void {
  const name = `${kindName(resource)}/${object.metadata.name}`;
  const output = context.flags.string('output');
  if (output) printValue(context, output, { value: object, name });
  else context.out(`${name} ${word}${dryRunNote(context)}`);
}

const dryRunOption = (context: CommandContext): { dryRun?: true } => (dryRunOf(context) === 'server' ? { dryRun: true } : {});

async function applyOnServer(context: CommandContext, { object, resource }: FileObject): Promise<Applied> {
  await untilServed(context, resource);
  const at = { namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
  const options = { type: 'apply', fieldManager: context.flags.string('field-manager') ?? 'kubectl', ...validation(context) } as const;
  const force = context.flags.boolean('force-conflicts');
  const applied = await context.client
    .resource(resource)
    .patch(at, object, { ...options, ...(force ? { force } : {}), ...dryRunOption(context) });
  return { word: 'serverside-applied', object: applied };
}

async function applyOne(context: CommandContext, { object, resource, source }: FileObject): Promise<Applied> {
  const { name, namespace, generateName } = object.metadata;
  if (!name)
    throw new KubectlError(
      generateName ? `error: from ${generateName}: cannot use generate name with apply` : `error: resource name may not be empty`,
    );
  await untilServed(context, resource);
  const client = context.client.resource(resource);
  const modified = withLastApplied(object);
  for (let attempt = 1; ; attempt++) {
    const current = await client.get({ namespace, name }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw whileReading(error, { object, resource, source });
    });
    if (!current) return createOne(context, { object: modified, resource, source });
    if (!current.metadata.annotations?.[LAST_APPLIED] && dryRunOf(context) !== 'client') {
      context.warn(
        `Warning: resource ${resource.resource}/${name} is missing the ${LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.`,
      );
    }
    if (dryRunOf(context) === 'client') return { word: 'configured', object: current };
    const { patch, type } = threeWayPatch(resource, modified, current);
    if (!patch) return { word: 'unchanged', object: current };
    try {
      const patched = await client.patch({ namespace, name }, patch, {
        type,
        fieldManager: 'kubectl-client-side-apply',
        ...validation(context),
        ...dryRunOption(context),
      });
      return { word: 'configured', object: patched };
    } catch (error) {
      if (!isConflict(error) || attempt >= MAX_PATCH_RETRIES) throw error;
      if (attempt > 1) await context.sleep(1_000);
    }
  }
}

/** What makes the present object what the manifest says, without what others have set; no patch when it is that already. */
export function threeWayPatch(
  resource: Resource,
  modified: KubernetesObject,
  current: KubernetesObject,
): { patch: unknown; type: 'strategic' | 'merge' } {
  const original = JSON.parse(current.metadata.annotations?.[LAST_APPLIED] ?? '{}') as KubernetesObject;
  const schema = schemaOfKind(apiVersionOf(resource), resource.kind);
  // Custom resources say nothing of how their lists are merged.
  if (!schema) return { patch: createThreeWayJsonMergePatch({ original, modified, current }), type: 'merge' };
  return { patch: createTwoWayMergePatch(current, mergeThreeWay({ original, modified, current }, schema), schema), type: 'strategic' };
}

/** What is said when not even the present object can be read. */
function whileReading(error: unknown, { object, resource, source }: FileObject): unknown {
  if (!(error instanceof ApiStatusError)) return error;
  const { group, version, kind, resource: plural } = resource;
  const { name, namespace = '' } = object.metadata;
  const where = `Resource: "${group}/${version}, Resource=${plural}", GroupVersionKind: "${group}/${version}, Kind=${kind}"\nName: "${name}", Namespace: "${namespace}"`;
  return new KubectlError(errorText(error, `error when retrieving current configuration of:\n${where}\nfrom server for: "${source}"`));
}

async function createOne(context: CommandContext, { object, resource, source }: FileObject): Promise<Applied> {
  if (dryRunOf(context) === 'client') return { word: 'created', object };
  try {
    const options = { fieldManager: 'kubectl-client-side-apply', ...validation(context), ...dryRunOption(context) } as const;
    const created = await context.client.resource(resource).create(object, options);
    // A Binding, which is carried out all the same.
    if (created.kind === 'Status') throw new KubectlError('error: object does not implement the Object interfaces');
    return { word: 'created', object: created };
  } catch (error) {
    throw new KubectlError(errorText(error, `error when creating "${source}"`));
  }
}
