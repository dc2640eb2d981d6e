import type { Containerd } from '../../components/containerd/server.ts';
import type { Gpus } from '../../components/nvidia-device-plugin/plugin.ts';
import { UnixSockets } from '../api/unix-sockets.ts';
import type { Actor } from '../sim/actor.ts';
import type { Random } from '../sim/random.ts';

const STATIC_POD_PATH = '/etc/kubernetes/manifests';

/** What a node is apart from its processes: it is there while they are down. */
export class Machine {
  readonly sockets = new UnixSockets<Actor>();
  readonly containerd: Containerd;
  readonly gpus: Gpus & { readonly broken: Set<string> };

  constructor({ containerd, gpus, random }: { containerd: Containerd; gpus: number; random: Random }) {
    this.containerd = containerd;
    this.gpus = { ids: Array.from({ length: gpus }, () => `GPU-${random.uuid()}`), broken: new Set(), onChange: () => {} };
  }

  /** kubeadm's way to run pods without an API server. Returns what the kubelet is told of it. */
  writeStaticPods(manifests: readonly string[]): { readonly staticPodPath?: string } {
    if (manifests.length === 0) return {};
    for (const [index, text] of manifests.entries()) this.containerd.files.writeFile(`${STATIC_POD_PATH}/${index + 1}.yaml`, text);
    return { staticPodPath: STATIC_POD_PATH };
  }

  /** A GPU breaks, or works again. */
  setGpuHealth(index: number, healthy: boolean): void {
    const id = this.gpus.ids[index];
    if (id === undefined) return;
    if (healthy) this.gpus.broken.delete(id);
    else this.gpus.broken.add(id);
    this.gpus.onChange();
  }
}
