import { type CsiNode, PLUGINS_REGISTRY_PATH, type PluginRegistration } from '../../../../src/api/csi.ts';
import { RpcError } from '../../../../src/api/rpc-error.ts';
import { ApiStatusError } from '../../../../src/api/status-error.ts';
import type { SocketServer, UnixSockets } from '../../../../src/api/unix-sockets.ts';
import { callRpc } from '../../../../src/client/rpc.ts';
import type { Actor } from '../../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../../src/sim/actor-unavailable.ts';
import type { NodeInfoManager } from './node-info-manager.ts';

/** pkg/kubelet/pluginmanager loopSleepDuration: how soon a new socket is looked at. */
const LOOP_MS = 1_000;

interface Registered {
  readonly driver: string;
  readonly endpoint: string;
}

/** Finds the CSI drivers of the node by the sockets of their registrars. pkg/kubelet/pluginmanager pluginManager, with pkg/volume/csi RegistrationHandler */
export class PluginManager {
  readonly #actor: Actor;
  readonly #sockets: UnixSockets<Actor> | undefined;
  readonly info: NodeInfoManager;
  /** By the registrar's socket. */
  readonly #registered = new Map<string, Registered>();
  #scheduled = false;

  constructor({ actor, sockets, info }: { actor: Actor; sockets: UnixSockets<Actor> | undefined; info: NodeInfoManager }) {
    this.#actor = actor;
    this.#sockets = sockets;
    this.info = info;
  }

  start(): void {
    const { incarnation } = this.#actor;
    const stop = this.#sockets?.watchDirectory(PLUGINS_REGISTRY_PATH, () => {
      if (this.#actor.incarnation === incarnation && this.#actor.state !== 'crashed') this.#reconcileSoon();
      else stop?.();
    });
    if (this.#sockets?.list(PLUGINS_REGISTRY_PATH).length) this.#reconcileSoon();
  }

  /** The node service of a driver that is registered. */
  driver(name: string): SocketServer<Actor, CsiNode> | undefined {
    const known = [...this.#registered.values()].find(({ driver }) => driver === name);
    return known && this.#sockets?.at<CsiNode>(known.endpoint);
  }

  isRegistered(name: string): boolean {
    return [...this.#registered.values()].some(({ driver }) => driver === name);
  }

  #reconcileSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#actor.schedule(LOOP_MS, () => this.#reconcile(), { label: `${this.#actor.name} plugins` });
  }

  /** pkg/kubelet/pluginmanager/reconciler reconcile: what does not succeed is tried again. */
  async #reconcile(): Promise<void> {
    this.#scheduled = false;
    const present = new Set(this.#sockets?.list(PLUGINS_REGISTRY_PATH));
    try {
      for (const [path, { driver }] of [...this.#registered]) {
        if (present.has(path)) continue;
        this.#registered.delete(path);
        await this.info.uninstallCsiDriver(driver);
      }
      for (const path of present) if (!this.#registered.has(path)) await this.#register(path);
    } catch (error) {
      const isOfOthers = error instanceof ApiStatusError || error instanceof RpcError || error instanceof ActorUnavailable;
      if (!isOfOthers) throw error;
      this.#actor.schedule(LOOP_MS, () => this.#reconcileSoon(), { priority: 'background' });
    }
  }

  async #register(path: string): Promise<void> {
    const { name, endpoint } = await callRpc(this.#actor, this.#sockets?.at<PluginRegistration>(path), (registrar) => registrar.getInfo());
    const info = await callRpc(this.#actor, this.#sockets?.at<CsiNode>(endpoint), (driver) => driver.nodeGetInfo());
    await this.info.installCsiDriver(name, info);
    this.#registered.set(path, { driver: name, endpoint });
  }
}
