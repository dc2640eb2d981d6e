import type { KubernetesObject } from '../../api/object.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { schemaOfKind } from '../../api/schema.ts';
import { isConflict, isNotFound } from '../../api/status-error.ts';
import { createTwoWayMergePatch } from '../../api/strategic-merge-patch.ts';
import { type Command, type CommandContext, type FileObject, fileObjects, untilServed } from '../command.ts';
import { createThreeWayJsonMergePatch } from '../json-merge-patch.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { dryRunNote, dryRunOf, MAKE_FLAGS } from '../make-object.ts';
import { printValue } from '../output.ts';
import { kindName } from '../rest-mapper.ts';
import { mergeThreeWay } from '../three-way-merge.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const MAX_PATCH_RETRIES = 5;

/** kubectl apply -f FILE, client side: creates what is missing, and patches the rest with a three-way merge. */
export const apply: Command = {
  flags: {
    ...MAKE_FLAGS,
    filename: { type: 'list', short: 'f' },
    'server-side': { type: 'boolean' },
    'force-conflicts': { type: 'boolean' },
    'field-manager': { type: 'string' },
  },
  async run(context) {
    if (!context.flags.list('filename').length) throw new KubectlError('error: must specify one of -f and -k');
    const objects = await fileObjects(context);
    if (!objects.length) throw new KubectlError('error: no objects passed to apply');
    for (const file of objects) {
      try {
        const applied = context.flags.boolean('server-side') ? applyOnServer(context, file) : applyOne(context, file);
        report(context, file, await applied);
      } catch (error) {
        context.error(errorText(error, `error when applying "${file.source}"`));
      }
    }
  },
};

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

/** Nothing is changed then. Differs: `--dry-run=client` asks the server for what would come of it. */
const dryRunOption = (context: CommandContext): { dryRun?: true } => (dryRunOf(context) === 'none' ? {} : { dryRun: true });

async function applyOnServer(context: CommandContext, { object, resource }: FileObject): Promise<Applied> {
  await untilServed(context, resource);
  const at = { namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
  const options = { type: 'apply', fieldManager: context.flags.string('field-manager') ?? 'kubectl', fieldValidation: 'Strict' } as const;
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
      throw error;
    });
    if (!current) return createOne(context, { object: modified, resource, source });
    if (!current.metadata.annotations?.[LAST_APPLIED]) {
      context.warn(
        `Warning: resource ${resource.resource}/${name} is missing the ${LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.`,
      );
    }
    const original = JSON.parse(current.metadata.annotations?.[LAST_APPLIED] ?? '{}') as KubernetesObject;
    const schema = schemaOfKind(apiVersionOf(resource), resource.kind);
    // Custom resources say nothing of how their lists are merged.
    const patch = schema
      ? createTwoWayMergePatch(current, mergeThreeWay({ original, modified, current }, schema), schema)
      : createThreeWayJsonMergePatch({ original, modified, current });
    if (!patch) return { word: 'unchanged', object: current };
    try {
      const patched = await client.patch({ namespace, name }, patch, {
        type: schema ? 'strategic' : 'merge',
        fieldManager: 'kubectl-client-side-apply',
        fieldValidation: 'Strict',
        ...dryRunOption(context),
      });
      return { word: 'configured', object: patched };
    } catch (error) {
      if (!isConflict(error) || attempt >= MAX_PATCH_RETRIES) throw error;
      if (attempt > 1) await context.sleep(1_000);
    }
  }
}

async function createOne(context: CommandContext, { object, resource, source }: FileObject): Promise<Applied> {
  try {
    const options = { fieldManager: 'kubectl-client-side-apply', fieldValidation: 'Strict', ...dryRunOption(context) } as const;
    const created = await context.client.resource(resource).create(object, options);
    // A Binding, which is carried out all the same.
    if (created.kind === 'Status') throw new KubectlError('error: object does not implement the Object interfaces');
    return { word: 'created', object: created };
  } catch (error) {
    throw new KubectlError(errorText(error, `error when creating "${source}"`));
  }
}

/** The object with a copy of itself in the annotation, as text with sorted keys. */
function withLastApplied(object: KubernetesObject): KubernetesObject {
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  const plain = { ...object, metadata: { ...object.metadata, annotations } };
  return {
    ...plain,
    metadata: { ...plain.metadata, annotations: { ...annotations, [LAST_APPLIED]: `${JSON.stringify(sorted(plain))}\n` } },
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
