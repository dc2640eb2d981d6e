import type { CustomResourceDefinition } from '../api/kinds/apiextensions-v1.ts';
import { parseManifest } from '../api/manifest.ts';
import type { KubernetesObject } from '../api/object.ts';
import { apiVersionOf, type Resource } from '../api/resource.ts';
import { BUILT_IN_RESOURCES } from '../api/resources.ts';
import type { Client } from '../client/client.ts';
import { customResource } from '../client/custom-resource.ts';
import { discoverResources } from './discovery.ts';
import type { FlagSpecs, Flags } from './flags.ts';
import type { Interrupt } from './interrupt.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { KubectlError } from './kubectl-error.ts';
import { manifestFiles } from './manifest-files.ts';
import { findResourceOf, noMapping } from './rest-mapper.ts';

/** What a command works with. */
export interface CommandContext {
  readonly client: Client;
  readonly args: readonly string[];
  /** The last of them: those behind `--`. */
  readonly after: readonly string[];
  readonly flags: Flags;
  /** Contents of the files that `-f` may name, by path; what is piped in is `-`. */
  readonly files: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly kubeconfig: Kubeconfig;
  /** Prints a line on stdout. */
  out(line: string): void;
  /** Prints a line on stderr; the exit code becomes 1 unless it is a warning. */
  error(line: string): void;
  warn(line: string): void;
  /** Sets the exit code, to 1 unless another is given, without a word. */
  fail(code?: number): void;
  /** The text that the server answers at a path. @throws ApiStatusError */
  raw(method: string, path: string, body?: string): Promise<string>;
  readonly interrupt: Interrupt;
  /** Virtual milliseconds. Throws when the command was interrupted meanwhile. */
  sleep(ms: number): Promise<void>;
}

/** Flags of every command that reads manifests. */
export const FILE_FLAGS: FlagSpecs = {
  filename: { type: 'list', short: 'f' },
  kustomize: { type: 'string', short: 'k' },
  recursive: { type: 'boolean', short: 'R' },
};

/** One verb of kubectl. */
export interface Command {
  readonly flags: FlagSpecs;
  run(context: CommandContext): Promise<void>;
}

/** An object out of a file, with where it came from. */
export interface FileObject {
  readonly object: KubernetesObject;
  readonly resource: Resource;
  readonly source: string;
}

/**
 * The objects in the files that `-f` names, with namespaces filled in. Those of unknown kinds are told of, and left out.
 * @param asGiven whether a namespace in a file may be another than that of `-n`
 * @throws KubectlError, ManifestError
 */
export async function fileObjects(context: CommandContext, { asGiven = false } = {}): Promise<FileObject[]> {
  if (context.flags.string('kustomize') !== undefined)
    throw new KubectlError('error: -k is not offered here: build with the real kustomize, and use -f');
  const read = manifestFiles(context).flatMap(({ text, source }) => parseManifest(text, source).map(({ object }) => ({ object, source })));
  const defined = read.flatMap(({ object }) => resourcesDefinedBy(object));
  const found: FileObject[] = [];
  const unknown: KubectlError[] = [];
  for (const { object, source } of read) {
    const own = defined.find((resource) => resource.kind === object.kind && apiVersionOf(resource) === object.apiVersion);
    const resource = own ?? (await findResourceOf(context.client, object));
    if (resource)
      found.push({ object: asGiven && object.metadata.namespace ? object : inNamespace(object, resource, context), resource, source });
    else unknown.push(noMapping(object, source));
  }
  const [first] = unknown;
  if (first && !found.length) throw first;
  for (const error of unknown) context.error(error.message);
  return found;
}

/** What a definition among the objects adds. */
function resourcesDefinedBy(object: KubernetesObject): Resource[] {
  if (object.kind !== 'CustomResourceDefinition') return [];
  const { spec } = object as CustomResourceDefinition;
  return (spec?.versions ?? []).map(({ name: version }) =>
    customResource({
      group: spec.group,
      version,
      resource: spec.names.plural,
      kind: spec.names.kind,
      singular: spec.names.singular ?? spec.names.kind.toLowerCase(),
      namespaced: spec.scope === 'Namespaced',
    }),
  );
}

const SERVED_WITHIN_MS = 10_000;
const POLL_MS = 100;

/** Waits until the server has a resource that a definition has only just added. Differs: the real kubectl would ask for another try. */
export async function untilServed(context: CommandContext, resource: Resource): Promise<void> {
  if (BUILT_IN_RESOURCES.some(({ group }) => group === resource.group)) return;
  for (let waited = 0; waited < SERVED_WITHIN_MS; waited += POLL_MS) {
    const served = await discoverResources(context.client);
    if (served.some((other) => other.resource === resource.resource && apiVersionOf(other) === apiVersionOf(resource))) return;
    await context.sleep(POLL_MS);
  }
}

function inNamespace(object: KubernetesObject, resource: Resource, context: CommandContext): KubernetesObject {
  if (!resource.namespaced) return object;
  const { namespace } = object.metadata;
  const asked = context.flags.string('namespace');
  if (namespace && asked && namespace !== asked) {
    throw new KubectlError(
      `error: the namespace from the provided object "${namespace}" does not match the namespace "${asked}". You must pass '--namespace=${namespace}' to perform this operation.`,
    );
  }
  return namespace ? object : { ...object, metadata: { ...object.metadata, namespace: context.namespace } };
}

/** Where an object of this resource is looked for. */
export function placeOf(context: CommandContext, resource: Resource, name: string): { namespace?: string; name: string } {
  return resource.namespaced ? { namespace: context.namespace, name } : { name };
}
