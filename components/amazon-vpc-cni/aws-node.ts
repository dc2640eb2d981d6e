import type { CniPlugin } from '../../src/api/cni.ts';
import type { HostFiles } from '../../src/api/cri.ts';
import type { PolicyRule } from '../../src/api/kinds/rbac-v1.ts';
import type { AwsClient } from '../../src/client/aws-client.ts';
import { AwsError } from '../../src/client/aws-client.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { awsCni } from './cni-plugin.ts';
import type { VpcCniConfig } from './config.ts';
import type { DataStore } from './data-store.ts';
import { Ipamd } from './ipamd.ts';

/** The DaemonSet's name, and its account. */
export const AWS_NODE = 'aws-node';
export const AWS_NODE_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces', 'nodes', 'pods'], verbs: ['list', 'watch', 'get'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'list'] },
];
const CONF_FILE = '/etc/cni/net.d/10-aws.conflist';
const RETRY_MS = 5_000;
/** Kubelet's nodeStatusUpdateFrequency with its jitter. */
const KUBELET_LOOKS_MS = 10_500;

/** scripts/entrypoint.sh 10-aws.conflist */
const CONF_LIST = {
  cniVersion: '0.4.0',
  name: 'aws-cni',
  disableCheck: true,
  plugins: [
    {
      name: 'aws-cni',
      type: 'aws-cni',
      vethPrefix: 'eni',
      mtu: '9001',
      podSGEnforcingMode: 'strict',
      pluginLogFile: '/var/log/aws-routed-eni/plugin.log',
      pluginLogLevel: 'DEBUG',
    },
    { type: 'portmap', capabilities: { portMappings: true }, snat: true },
  ],
};

export interface AwsNodeConfig extends VpcCniConfig {
  readonly node: string;
  readonly aws: AwsClient;
  /** What ipamd has on the node's disk. */
  readonly store: DataStore;
  /** Another one each time the machine starts. */
  readonly bootId: () => string;
  /** The node's disk. */
  readonly files: Pick<HostFiles, 'writeFile'>;
  /** Puts a program into /opt/cni/bin. */
  readonly installPlugin: (name: string, plugin: CniPlugin) => void;
}

/** aws-node on one node: ipamd, and the plugin that asks it. The node has a network as soon as the configuration is written, which is when ipamd is ready. */
export async function runAwsNode({ actor, config }: { readonly actor: Actor; readonly config: AwsNodeConfig }): Promise<void> {
  const { store, installPlugin, files, aws, node } = config;
  const ipamd = new Ipamd({ actor, aws, config, store, node });
  await startWhenPossible(actor, ipamd);
  store.pruneStaleAllocations(config.bootId());
  const { incarnation } = actor;
  installPlugin(
    'aws-cni',
    awsCni(() => (actor.state === 'running' && actor.incarnation === incarnation ? store : undefined)),
  );
  files.writeFile(CONF_FILE, `${JSON.stringify(CONF_LIST, null, 2)}\n`);
  // Kubelet says that its node is ready at its next look: whoever waits for the cluster to settle waits for that, too.
  actor.schedule(KUBELET_LOOKS_MS, () => {}, { label: `${actor.name} network` });
  await ipamd.run();
}

async function startWhenPossible(actor: Actor, ipamd: Ipamd): Promise<void> {
  for (;;) {
    try {
      await ipamd.start();
      return;
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      await actor.sleep(RETRY_MS);
    }
  }
}
