import type { CommandContext } from './command.ts';
import { KubectlError } from './kubectl-error.ts';

const EXTENSIONS = /\.(?:json|yaml|yml)$/;

/** A file that `-f` names, itself or by its folder. */
export interface ManifestFile {
  readonly text: string;
  /** As errors name it: the path, or `STDIN`. */
  readonly source: string;
}

/**
 * What `-f` names: files, `-` (the text that is piped in), and folders, of which the manifests are read; with `-R` also those of the folders below.
 * cli-runtime pkg/resource Builder.Path
 * @throws KubectlError
 */
export function manifestFiles({ flags, files }: CommandContext): ManifestFile[] {
  return flags.list('filename').flatMap((path): ManifestFile[] => {
    const text = files[path];
    if (text !== undefined) return [{ text, source: path === '-' ? 'STDIN' : path }];
    const folder = path.endsWith('/') ? path : `${path}/`;
    const within = Object.keys(files).filter((name) => name.startsWith(folder));
    if (!within.length) throw new KubectlError(`error: the path "${path}" does not exist`);
    const read = within.filter((name) => flags.boolean('recursive') || !name.slice(folder.length).includes('/'));
    const manifests = read.filter((name) => EXTENSIONS.test(name)).sort();
    if (!manifests.length) throw new KubectlError(`error: error reading [${path}]: recognized file extensions are [.json .yaml .yml]`);
    return manifests.map((name) => ({ text: files[name] ?? '', source: name }));
  });
}
