import type { PodSandboxConfig, PodSandboxState, PodSandboxStatus } from '../../src/api/cri.ts';
import type { CniAttachment } from './cni/cni.ts';
import type { Container } from './container.ts';
import type { NetworkNamespace } from './network-namespace.ts';

/** One pod sandbox: the pause container with the pod's network. */
export class Sandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  readonly network: NetworkNamespace;
  /** How it is connected; undefined with `hostNetwork`, and when it was taken off. */
  attachment: CniAttachment | undefined;
  /** In order of creation. */
  readonly containers = new Set<Container>();
  readonly #createdAt: number;
  #state: PodSandboxState = 'SANDBOX_READY';
  #status: PodSandboxStatus | undefined;

  constructor(parts: {
    id: string;
    config: PodSandboxConfig;
    network: NetworkNamespace;
    attachment: CniAttachment | undefined;
    createdAt: number;
  }) {
    this.id = parts.id;
    this.config = parts.config;
    this.network = parts.network;
    this.attachment = parts.attachment;
    this.#createdAt = parts.createdAt;
  }

  get ready(): boolean {
    return this.#state === 'SANDBOX_READY';
  }

  stop(): void {
    this.#state = 'SANDBOX_NOTREADY';
    this.#status = undefined;
  }

  /** The same object until something changes. */
  get status(): PodSandboxStatus {
    this.#status ??= {
      id: this.id,
      metadata: this.config.metadata,
      state: this.#state,
      createdAt: this.#createdAt,
      ips: this.config.hostNetwork || !this.ready ? [] : [this.network.ip],
      hostNetwork: this.config.hostNetwork,
    };
    return this.#status;
  }
}
