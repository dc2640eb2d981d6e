import {
  type CniCommand,
  type CniEnvironment,
  CniError,
  type CniNetConf,
  type CniNetConfList,
  type CniPluginConf,
  type CniPlugins,
  type CniPortMapping,
  type CniResult,
  type CniRun,
} from '../../../src/api/cni.ts';
import type { PodSandboxConfig } from '../../../src/api/cri.ts';
import { RuntimeError } from '../../../src/api/cri.ts';
import type { Random } from '../../../src/sim/random.ts';
import type { FileTree } from '../file-tree.ts';
import { CNI_BIN_DIR, CNI_CONF_DIR, LOOPBACK_NETWORK, parseNetworkConfig } from './network-config.ts';

const IFNAME = 'eth0';
const NOT_INITIALIZED = 'cni plugin not initialized';

/** A sandbox that is connected: what is needed to take it off again. */
export interface CniAttachment {
  readonly netns: string;
  readonly ip: string;
  /** The interface that everything leaves by. */
  readonly result: CniResult | undefined;
  /** What ADD answered, for each network that the sandbox was added to: libcni's cache of results. */
  readonly results: ReadonlyMap<string, CniResult>;
}

interface CniParts {
  readonly random: Random;
  readonly files: FileTree;
  readonly plugins: CniPlugins;
}

/** The pod of a call, and the network that it is added to or taken from. */
interface NetworkCall {
  readonly list: CniNetConfList;
  readonly environment: CniEnvironment;
  readonly portMappings: readonly CniPortMapping[] | undefined;
}

/**
 * How the runtime has sandboxes connected: containerd's go-cni on libcni. The configuration is the first file of the directory that can be read; the
 * runtime looks again whenever something is written there.
 */
export class Cni {
  readonly #parts: CniParts;
  readonly #listeners = new Set<(run: CniRun) => void>();
  #network: CniNetConfList | undefined;

  constructor(parts: CniParts) {
    this.#parts = parts;
    parts.files.watch(CNI_CONF_DIR, () => this.#load());
    this.#load();
  }

  /** What is wrong; undefined when sandboxes can be connected. go-cni Status */
  get problem(): string | undefined {
    return this.#network ? undefined : NOT_INITIALIZED;
  }

  /** Hears of each run of a plugin; returns a function that ends it. */
  listen(listener: (run: CniRun) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** containerd pkg/cri/server setupPodNetwork. @throws RuntimeError */
  setup(id: string, config: PodSandboxConfig): CniAttachment {
    const netns = `/var/run/netns/cni-${this.#parts.random.uuid()}`;
    const results = new Map<string, CniResult>();
    try {
      const network = this.#assertInitialized();
      for (const list of [LOOPBACK_NETWORK, network])
        results.set(list.name, this.#addNetworkList(this.#callOf(list, 'ADD', { id, config, netns })));
      const result = results.get(network.name);
      const ip = result?.ips?.[0]?.address.split('/')[0];
      if (ip === undefined) throw new CniError(0, `failed to find network info for sandbox "${id}"`);
      return { netns, ip, result, results };
    } catch (error) {
      if (!(error instanceof CniError)) throw error;
      this.#undo(id, config, { netns, ip: '', result: undefined, results });
      throw new RuntimeError(`failed to setup network for sandbox "${id}": ${error.message}`);
    }
  }

  /** containerd pkg/cri/server teardownPodNetwork. @throws RuntimeError */
  remove(id: string, config: PodSandboxConfig, attachment: CniAttachment): void {
    try {
      this.#removeNetworks(id, config, attachment);
    } catch (error) {
      if (!(error instanceof CniError)) throw error;
      throw new RuntimeError(`failed to destroy network for sandbox "${id}": ${error.message}`);
    }
  }

  /** go-cni Check: whether the sandbox is still connected as it was. @throws CniError */
  check(id: string, config: PodSandboxConfig, { netns, results }: CniAttachment): void {
    for (const list of [LOOPBACK_NETWORK, this.#assertInitialized()]) {
      const call = this.#callOf(list, 'CHECK', { id, config, netns });
      for (const plugin of list.plugins) this.#runNamed(call, plugin, results.get(list.name));
    }
  }

  #load(): void {
    const { files } = this.#parts;
    const names = files.list(CNI_CONF_DIR).filter((name) => /\.(?:conf|conflist|json)$/.test(name));
    this.#network = undefined;
    for (const name of names) this.#network ??= parseNetworkConfig(files.readFile(`${CNI_CONF_DIR}/${name}`) ?? '');
  }

  #assertInitialized(): CniNetConfList {
    if (!this.#network) throw new CniError(0, NOT_INITIALIZED);
    return this.#network;
  }

  #undo(id: string, config: PodSandboxConfig, attachment: CniAttachment): void {
    try {
      this.#removeNetworks(id, config, attachment);
    } catch (error) {
      if (!(error instanceof CniError)) throw error;
    }
  }

  #removeNetworks(id: string, config: PodSandboxConfig, { netns, results }: CniAttachment): void {
    for (const list of [LOOPBACK_NETWORK, this.#assertInitialized()]) {
      const call = this.#callOf(list, 'DEL', { id, config, netns });
      for (const plugin of list.plugins.toReversed()) this.#runNamed(call, plugin, results.get(list.name));
    }
  }

  /** containerd pkg/cri/server cniNamespaceOpts: what the plugins are told of a pod. */
  #callOf(list: CniNetConfList, command: CniCommand, sandbox: { id: string; config: PodSandboxConfig; netns: string }): NetworkCall {
    const { id, config, netns } = sandbox;
    const { name, namespace, uid } = config.metadata;
    const args = `IgnoreUnknown=1;K8S_POD_NAMESPACE=${namespace};K8S_POD_NAME=${name};K8S_POD_INFRA_CONTAINER_ID=${id};K8S_POD_UID=${uid}`;
    const ifname = list === LOOPBACK_NETWORK ? 'lo' : IFNAME;
    return { list, environment: { command, containerId: id, netns, ifname, args, path: CNI_BIN_DIR }, portMappings: config.portMappings };
  }

  /** libcni AddNetworkList: each plugin gets the result of the one before. */
  #addNetworkList(call: NetworkCall): CniResult {
    let result: CniResult | undefined;
    for (const plugin of call.list.plugins) result = this.#runNamed(call, plugin, result) ?? result;
    return result ?? { cniVersion: call.list.cniVersion, dns: {} };
  }

  /** libcni words what a plugin of a list failed with. */
  #runNamed(call: NetworkCall, plugin: CniPluginConf, prevResult: CniResult | undefined): CniResult | undefined {
    try {
      return this.#run(call, plugin, prevResult);
    } catch (error) {
      if (!(error instanceof CniError)) throw error;
      const command = { ADD: 'add', DEL: 'delete', CHECK: 'check' }[call.environment.command];
      const name = typeof plugin['name'] === 'string' ? ` name=${JSON.stringify(plugin['name'])}` : '';
      throw new CniError(error.code, `plugin type=${JSON.stringify(plugin.type)}${name} failed (${command}): ${error.message}`);
    }
  }

  #run(call: NetworkCall, plugin: CniPluginConf, prevResult: CniResult | undefined): CniResult | undefined {
    const { environment } = call;
    const stdin = injectRuntimeConfig(call, plugin, prevResult);
    try {
      const program = this.#parts.plugins.get(plugin.type);
      if (!program) throw new CniError(0, `failed to find plugin "${plugin.type}" in path [${CNI_BIN_DIR}]`);
      const stdout = program(environment, stdin);
      for (const listener of this.#listeners) listener({ environment, stdin, stdout });
      return stdout;
    } catch (error) {
      if (error instanceof CniError) for (const listener of this.#listeners) listener({ environment, stdin, stdout: undefined, error });
      throw error;
    }
  }
}

/** libcni buildOneConfig: the name and version of the list, the result before, and what the plugin says that it can do something with. */
function injectRuntimeConfig({ list, portMappings }: NetworkCall, plugin: CniPluginConf, prevResult: CniResult | undefined): CniNetConf {
  const { capabilities, ...conf } = plugin;
  const withPorts = capabilities?.['portMappings'] === true && portMappings !== undefined;
  return {
    ...conf,
    type: plugin.type,
    cniVersion: list.cniVersion,
    name: list.name,
    ...(prevResult ? { prevResult } : {}),
    ...(withPorts ? { runtimeConfig: { portMappings } } : {}),
  };
}
