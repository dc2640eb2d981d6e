import type { HostFiles } from '../../../src/api/cri.ts';
import type { HostPathVolumeSource } from '../../../src/api/kinds/core-v1.ts';
import type { SetUpResult } from './set-up-result.ts';

/** Directories of the system itself: what is in them on a real node is not in the bottle, and taken for what the pod says it is. */
const SYSTEM = /^\/(bin|boot|dev|etc|lib|lib32|lib64|proc|run|sbin|sys|usr|var)(\/|$)/;

/** What a path has to be, as messages put it: pkg/volume/hostpath checkTypeInternal */
const WORDS: Readonly<Record<string, string>> = {
  DirectoryOrCreate: 'directory',
  Directory: 'directory',
  FileOrCreate: 'file',
  File: 'file',
  Socket: 'socket file',
  CharDevice: 'character device',
  BlockDevice: 'block device',
};

/** A path of the node, which has to be of the type that the pod names: pkg/volume/hostpath. */
export function setUpHostPath(files: HostFiles, { path, type = '' }: HostPathVolumeSource): SetUpResult {
  const isFile = files.readFile(path) !== undefined;
  const isDirectory = path === '/' || files.isDirectory(path);
  const word = WORDS[type];
  if (word !== undefined && !(SYSTEM.test(path) && !isFile && !isDirectory)) {
    const creates = type.endsWith('OrCreate') && !isFile && !isDirectory;
    const fits = word === 'directory' ? isDirectory : word === 'file' && isFile;
    if (!fits && !creates) return { problem: `hostPath type check failed: ${path} is not a ${word}` };
  }
  if (type === 'FileOrCreate' && !isFile) files.writeFile(path, '');
  return { path, directory: !isFile && !['File', 'FileOrCreate', 'Socket', 'CharDevice', 'BlockDevice'].includes(type) };
}
