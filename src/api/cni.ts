/**
 * The Container Network Interface: how a container runtime has pods connected to the network (containernetworking/cni, spec 1.0.0). Field names are those of
 * the specification. A real plugin is a program that reads JSON and environment variables and writes JSON; here both are plain objects.
 */

/** containernetworking/cni pkg/types/100 Interface */
interface CniInterface {
  readonly name: string;
  readonly mac?: string;
  /** The network namespace; absent for interfaces of the node. */
  readonly sandbox?: string;
}

/** containernetworking/cni pkg/types/100 IPConfig */
interface CniIPConfig {
  /** Index into `interfaces`. */
  readonly interface?: number;
  /** With the length of its range: `10.244.1.5/24`. */
  readonly address: string;
  readonly gateway?: string;
}

/** containernetworking/cni pkg/types Route */
export interface CniRoute {
  readonly dst: string;
  readonly gw?: string;
}

/** containernetworking/cni pkg/types/100 Result: what ADD answers. */
export interface CniResult {
  readonly cniVersion: string;
  readonly interfaces?: readonly CniInterface[];
  readonly ips?: readonly CniIPConfig[];
  readonly routes?: readonly CniRoute[];
  readonly dns: Readonly<Record<string, unknown>>;
}

/** A port of the node that leads to one of the pod. */
export interface CniPortMapping {
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostIP?: string;
}

/** What a network configuration says about one plugin. */
export interface CniPluginConf {
  readonly type: string;
  readonly capabilities?: Readonly<Record<string, boolean>>;
  readonly [key: string]: unknown;
}

/** containernetworking/cni pkg/types NetConfList: a file in /etc/cni/net.d. */
export interface CniNetConfList {
  readonly cniVersion: string;
  readonly name: string;
  readonly plugins: readonly CniPluginConf[];
}

/** What a plugin gets on stdin: its part of the configuration with what libcni puts in. */
export interface CniNetConf extends CniPluginConf {
  readonly cniVersion: string;
  readonly name: string;
  readonly prevResult?: CniResult;
  readonly runtimeConfig?: { readonly portMappings?: readonly CniPortMapping[] };
}

export type CniCommand = 'ADD' | 'DEL' | 'CHECK';

/** The environment of a plugin: CNI_COMMAND, CNI_CONTAINERID, … */
export interface CniEnvironment {
  readonly command: CniCommand;
  readonly containerId: string;
  /** The path of the network namespace; '' when it is gone. */
  readonly netns: string;
  readonly ifname: string;
  /** `KEY=value;KEY=value` */
  readonly args: string;
  readonly path: string;
}

/** containernetworking/cni pkg/types Error: what a plugin prints when it fails. */
export class CniError extends Error {
  override name = 'CniError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One plugin on a node. Only ADD has a result. @throws CniError */
export type CniPlugin = (environment: CniEnvironment, stdin: CniNetConf) => CniResult | undefined;

/** A run of a plugin, as whoever looks at the node sees it. */
export interface CniRun {
  readonly environment: CniEnvironment;
  readonly stdin: CniNetConf;
  readonly stdout: CniResult | undefined;
  /** Why it failed. */
  readonly error?: CniError;
}

/** The programs in /opt/cni/bin of a node, by name. */
export type CniPlugins = ReadonlyMap<string, CniPlugin>;
