import type { Containerd } from '../../components/containerd/server.ts';
import type { ShutdownDelay } from '../../components/kubelet/config.ts';
import type { Gpus } from '../../components/nvidia-device-plugin/plugin.ts';
import type { CniPlugin } from '../api/cni.ts';
import { UnixSockets } from '../api/unix-sockets.ts';
import type { Actor } from '../sim/actor.ts';
import type { Random } from '../sim/random.ts';

/** From the last process that was waited for until the power is off. */
const POWER_OFF_MS = 1_000;
const STATIC_POD_PATH = '/etc/kubernetes/manifests';

interface MachineParts {
  readonly containerd: Containerd;
  readonly cniPlugins: Map<string, CniPlugin>;
  readonly gpus: number;
  readonly random: Random;
}

/** What a node is apart from its processes: it is there while they are down. */
export class Machine {
  readonly sockets = new UnixSockets<Actor>();
  readonly containerd: Containerd;
  /** What lies in /opt/cni/bin. */
  readonly cniPlugins: Map<string, CniPlugin>;
  readonly gpus: Gpus & { readonly broken: Set<string> };

  #delay: ShutdownDelay | undefined;

  constructor({ containerd, cniPlugins, gpus, random }: MachineParts) {
    this.containerd = containerd;
    this.cniPlugins = cniPlugins;
    this.gpus = { ids: Array.from({ length: gpus }, () => `GPU-${random.uuid()}`), broken: new Set(), onChange: () => {} };
  }

  /** kubeadm's way to run pods without an API server. Returns what the kubelet is told of it. */
  writeStaticPods(manifests: readonly string[]): { readonly staticPodPath?: string } {
    if (manifests.length === 0) return {};
    for (const [index, text] of manifests.entries()) this.containerd.files.writeFile(`${STATIC_POD_PATH}/${index + 1}.yaml`, text);
    return { staticPodPath: STATIC_POD_PATH };
  }

  /** systemd-logind: a shutdown waits for who has asked for it. */
  inhibitShutdown(delay: ShutdownDelay): void {
    this.#delay = delay;
  }

  /** The machine is to go off: `stop` is called when nobody asks for more time. */
  shutdown(stop: () => void): void {
    const delay = this.#delay;
    if (delay?.process.state !== 'running' || delay.process.incarnation !== delay.incarnation) {
      stop();
      return;
    }
    delay.process.schedule(0, async () => {
      await delay.onShutdown();
      await delay.process.sleep(POWER_OFF_MS);
      stop();
    });
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
