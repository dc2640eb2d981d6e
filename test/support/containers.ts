import { installCniPlugins } from '../../components/cni-plugins/plugins.ts';
import type { ImageDefinition } from '../../components/containerd/image-definition.ts';
import { Containerd } from '../../components/containerd/server.ts';
import type { ContainerConfig, ContainerRuntimeInterface, ContainerRuntimeStatus } from '../../src/api/cri.ts';
import { HostPortRules } from '../../src/cluster/host-ports.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { Simulation } from '../../src/sim/simulation.ts';

/** A container runtime alone, with somebody who calls it: for tests of containers without a cluster. */
export class RuntimeFixture {
  readonly simulation = new Simulation({ seed: 'containers' });
  readonly containerd: Containerd;
  readonly caller: Actor;
  readonly runtime: ContainerRuntimeInterface;
  #containers = 0;

  constructor(options: { readonly images?: readonly ImageDefinition[] } = {}) {
    this.containerd = new Containerd(this.simulation, {
      nodeName: 'n1',
      cniPlugins: installCniPlugins({ random: this.simulation.random.fork('cni'), hostPorts: new HostPortRules() }),
      presentImages: ['busybox:1.36', 'nginx:1.27'],
      images: options.images ?? [],
    });
    this.containerd.actor.start();
    this.caller = this.simulation.actor('caller', () => {});
    this.caller.start();
    this.runtime = this.containerd.connect(this.caller);
  }

  /** Runs code that calls the runtime, and the simulation until it is done. */
  async call<T>(body: () => Promise<T>, withinMs = 600_000): Promise<T> {
    let outcome: { value: T } | { error: unknown } | undefined;
    const run = async (): Promise<void> => {
      try {
        outcome = { value: await body() };
      } catch (error) {
        outcome = { error };
      }
    };
    this.caller.schedule(0, run);
    await this.simulation.runUntil(() => outcome !== undefined, withinMs);
    if (!outcome) throw new Error('the runtime did not answer');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Makes a sandbox with one container in it and starts it. */
  async start(config: Partial<ContainerConfig> & { readonly image: string }): Promise<string> {
    const name = `c${++this.#containers}`;
    return this.call(async () => {
      const image = (await this.runtime.imageStatus(config.image)) ?? (await this.runtime.pullImage(config.image));
      const sandbox = await this.runtime.runPodSandbox({
        metadata: { name, namespace: 'default', uid: `uid-${name}`, attempt: 0 },
        hostname: name,
        hostNetwork: false,
        logDirectory: '',
      });
      const id = await this.runtime.createContainer(sandbox, {
        name,
        attempt: 0,
        imageRef: image.id,
        envs: [],
        mounts: [],
        linux: {},
        stdin: false,
        tty: false,
        annotations: {},
        ...config,
      });
      await this.runtime.startContainer(id);
      return id;
    });
  }

  status(id: string): Promise<ContainerRuntimeStatus> {
    return this.call(() => this.runtime.containerStatus(id));
  }

  /** What the container wrote, line by line. */
  async logs(id: string): Promise<string[]> {
    return (await this.call(() => this.runtime.logs(id))).map(({ text }) => text);
  }

  /** Runs a script in a busybox container to its end. */
  async script(
    text: string,
    config: Partial<ContainerConfig> = {},
    withinMs = 60_000,
  ): Promise<{ code: number; lines: string[]; ms: number }> {
    const id = await this.start({ image: 'busybox:1.36', command: ['sh', '-c', text], ...config });
    await this.simulation.runUntil(() => this.containerd.runtime.container(id).state === 'CONTAINER_EXITED', withinMs);
    const { exitCode, startedAt, finishedAt, state } = await this.status(id);
    return { code: state === 'CONTAINER_EXITED' ? exitCode : -1, lines: await this.logs(id), ms: finishedAt - startedAt };
  }
}
