import type { KubernetesObject } from '../../api/object.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { schemaOfKind } from '../../api/schema.ts';
import { isConflict, isNotFound } from '../../api/status-error.ts';
import { createTwoWayMergePatch } from '../../api/strategic-merge-patch.ts';
import { type Command, type CommandContext, type FileObject, fileObjects, untilServed } from '../command.ts';
import { createThreeWayJsonMergePatch } from '../json-merge-patch.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { kindName } from '../rest-mapper.ts';
import { mergeThreeWay } from '../three-way-merge.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const MAX_PATCH_RETRIES = 5;

/** kubectl apply -f FILE, client side: creates what is missing, and patches the rest with a three-way merge. */
export const apply: Command = {
  flags: { filename: { type: 'list', short: 'f' } },
  async run(context) {
    if (!context.flags.list('filename').length) throw new KubectlError('error: must specify one of -f and -k');
    const objects = await fileObjects(context);
    if (!objects.length) throw new KubectlError('error: no objects passed to apply');
    for (const file of objects) {
      try {
        context.out(`${kindName(file.resource)}/${file.object.metadata.name} ${await applyOne(context, file)}`);
      } catch (error) {
        context.error(errorText(error, `error when applying "${file.source}"`));
      }
    }
  },
};

async function applyOne(context: CommandContext, { object, resource, source }: FileObject): Promise<string> {
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
    if (!patch) return 'unchanged';
    try {
      await client.patch({ namespace, name }, patch, {
        type: schema ? 'strategic' : 'merge',
        fieldManager: 'kubectl-client-side-apply',
        fieldValidation: 'Strict',
      });
      return 'configured';
    } catch (error) {
      if (!isConflict(error) || attempt >= MAX_PATCH_RETRIES) throw error;
      if (attempt > 1) await context.sleep(1_000);
    }
  }
}

async function createOne(context: CommandContext, { object, resource, source }: FileObject): Promise<string> {
  try {
    await context.client.resource(resource).create(object, { fieldManager: 'kubectl-client-side-apply', fieldValidation: 'Strict' });
    return 'created';
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
