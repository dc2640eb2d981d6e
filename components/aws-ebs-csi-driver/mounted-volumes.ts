import type { HostFiles } from '../../src/api/cri.ts';

/** The file systems of volumes that are mounted on a machine: what is written there is on the volume, whatever becomes of the machine. */
export class MountedVolumes {
  readonly #files: HostFiles;
  /** Where each volume is mounted. */
  readonly #paths = new Map<string, string>();

  constructor(files: HostFiles) {
    this.#files = files;
  }

  /** What is on the disk is there from now on. After a crash of the machine the directory is there already, with what was written last. */
  mount(volumeId: string, path: string, disk: ReadonlyMap<string, string>): void {
    this.#paths.set(volumeId, path);
    this.#files.makeDirectory(path);
    for (const [name, text] of disk)
      if (this.#files.readFile(`${path}/${name}`) === undefined) this.#files.writeFile(`${path}/${name}`, text);
  }

  /** The disk is taken out, or given back: what has been written goes with it. */
  unmount(volumeId: string, disk: Map<string, string>): void {
    const path = this.#paths.get(volumeId);
    if (path === undefined) return;
    this.flush(volumeId, disk);
    this.#files.remove(path);
    this.#paths.delete(volumeId);
  }

  /** What has been written is on the disk. */
  flush(volumeId: string, disk: Map<string, string>): void {
    const path = this.#paths.get(volumeId);
    if (path === undefined) return;
    disk.clear();
    for (const [name, text] of this.#filesIn(path, '')) disk.set(name, text);
  }

  *#filesIn(root: string, prefix: string): Generator<[string, string]> {
    for (const name of this.#files.list(`${root}/${prefix}`)) {
      const path = `${prefix}${name}`;
      const text = this.#files.readFile(`${root}/${path}`);
      if (text === undefined) yield* this.#filesIn(root, `${path}/`);
      else yield [path, text];
    }
  }
}
