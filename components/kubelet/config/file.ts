import type { HostFiles } from '../../../src/api/cri.ts';
import { canonicalJson } from '../../../src/api/hash.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { ManifestError, parseManifest } from '../../../src/api/manifest.ts';
import { computePodQOS } from '../../../src/api/pod-qos.ts';
import { sha256 } from '../../../src/api/sha256.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { FILE_CHECK_MS } from '../constants.ts';
import { CONFIG_HASH, CONFIG_SEEN, CONFIG_SOURCE } from '../types/pod-update.ts';
import { withDefaults } from './static-pod-defaults.ts';

interface FileSourceParts {
  readonly actor: Actor;
  readonly files: HostFiles;
  /** KubeletConfiguration staticPodPath */
  readonly path: string;
  readonly nodeName: string;
  /** Gets all static pods, whenever something of them changed. */
  readonly onPods: (pods: readonly Pod[]) => void;
}

interface ManifestFile {
  readonly text: string;
  readonly pod: Pod | undefined;
}

/** pkg/kubelet/config sourceFile: the pods whose manifests lie in a directory of the node. */
export class FileSource {
  readonly #parts: FileSourceParts;
  /** By file: the text that was read, and the pod in it. */
  #read = new Map<string, ManifestFile>();

  constructor(parts: FileSourceParts) {
    this.#parts = parts;
  }

  /** Reads the directory now, and again every 20 s. */
  start(): void {
    this.#listConfig();
    this.#parts.actor.schedule(FILE_CHECK_MS, () => this.start(), {
      priority: 'background',
      label: `${this.#parts.actor.name} static pods`,
    });
  }

  #listConfig(): void {
    const { files, path, onPods } = this.#parts;
    const read = new Map<string, ManifestFile>();
    let changed = false;
    for (const name of files.list(path)) {
      const text = files.readFile(`${path}/${name}`);
      if (text === undefined || name.startsWith('.')) continue;
      const before = this.#read.get(name);
      changed ||= before?.text !== text;
      read.set(name, before?.text === text ? before : { text, pod: this.#extractFromFile(`${path}/${name}`, text) });
    }
    changed ||= read.size !== this.#read.size;
    this.#read = read;
    if (changed) onPods([...read.values()].flatMap(({ pod }) => (pod ? [pod] : [])));
  }

  /** A file that cannot be read is no reason to stop: the others are. */
  #extractFromFile(file: string, text: string): Pod | undefined {
    const { actor } = this.#parts;
    const refuse = (why: string): undefined => {
      actor.simulation.trace.record({ kind: 'decision', component: 'kubelet', message: `Could not process manifest file ${file}: ${why}` });
    };
    try {
      const [found, ...more] = parseManifest(text, file);
      if (!found || more.length > 0 || found.object.kind !== 'Pod')
        return refuse(`couldn't parse as pod(${found?.object.kind ?? 'nothing there'})`);
      return applyDefaults(found.object as Pod, { file, nodeName: this.#parts.nodeName, seen: formatTime(actor.wallTime) });
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      return refuse(error.message);
    }
  }
}

/** pkg/kubelet/config/common.go applyDefaults: a name, namespace and uid of its own, and nothing that drives it away. */
export function applyDefaults(manifest: Pod, at: { readonly file: string; readonly nodeName: string; readonly seen: string }): Pod {
  const { metadata } = manifest;
  const uid = metadata.uid || hashOf(`${canonicalJson(manifest)} host:${at.nodeName} file:${at.file}`);
  const tolerations = [...(manifest.spec?.tolerations ?? []), { operator: 'Exists', effect: 'NoExecute' }];
  const pod = withDefaults({
    ...manifest,
    metadata: {
      ...metadata,
      name: `${metadata.name}-${at.nodeName.toLowerCase()}`,
      namespace: metadata.namespace || 'default',
      uid,
      annotations: { ...metadata.annotations, [CONFIG_HASH]: uid, [CONFIG_SEEN]: at.seen, [CONFIG_SOURCE]: 'file' },
    },
    spec: { ...(manifest.spec ?? { containers: [] }), nodeName: at.nodeName, tolerations },
  });
  return { ...pod, status: { phase: 'Pending', qosClass: computePodQOS(pod) } };
}

/** 32 hexadecimal digits, as of the MD5 that the real one uses. */
function hashOf(text: string): string {
  return sha256(text)
    .slice(0, 4)
    .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    .join('');
}
