import { parseManifest } from '../api/manifest.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import type { Client } from '../client/client.ts';
import type { FlagSpecs, Flags } from './flags.ts';
import { KubectlError } from './kubectl-error.ts';
import { resourceOf } from './rest-mapper.ts';

/** What a command works with. */
export interface CommandContext {
  readonly client: Client;
  readonly args: readonly string[];
  readonly flags: Flags;
  /** Contents of the files that `-f` may name. */
  readonly files: Readonly<Record<string, string>>;
  readonly namespace: string;
  /** Prints a line on stdout. */
  out(line: string): void;
  /** Prints a line on stderr; the exit code becomes 1 unless it is a warning. */
  error(line: string): void;
  warn(line: string): void;
  /** Virtual milliseconds. */
  sleep(ms: number): Promise<void>;
}

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

/** The objects in the files that `-f` names, with namespaces filled in. @throws KubectlError, ManifestError */
export function fileObjects(context: CommandContext): FileObject[] {
  return context.flags.list('filename').flatMap((source) => {
    const text = context.files[source];
    if (text === undefined) throw new KubectlError(`error: the path "${source}" does not exist`);
    return parseManifest(text, source).map(({ object }) => {
      const resource = resourceOf(object, source);
      return { object: inNamespace(object, resource, context), resource, source };
    });
  });
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
