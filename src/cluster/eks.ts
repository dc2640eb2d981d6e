import {
  installPodIdentityWebhook,
  POD_IDENTITY_WEBHOOK,
  POD_IDENTITY_WEBHOOK_PORT,
  POD_IDENTITY_WEBHOOK_RULES,
} from '../../components/amazon-eks-pod-identity-webhook/manifests.ts';
import { runPodIdentityWebhook } from '../../components/amazon-eks-pod-identity-webhook/server.ts';
import { AWS_NODE, AWS_NODE_RULES, type AwsNodeConfig, runAwsNode } from '../../components/amazon-vpc-cni/aws-node.ts';
import { DataStore } from '../../components/amazon-vpc-cni/data-store.ts';
import type { Aws } from '../../components/aws/aws.ts';
import type { PolicyRule } from '../api/kinds/rbac-v1.ts';
import type { Client } from '../client/client.ts';
import { installAccount } from '../client/install.ts';
import type { Actor } from '../sim/actor.ts';
import { awsClientOf, hasEksComponent } from './aws.ts';
import type { Cluster } from './cluster.ts';
import { KUBERNETES_ADMIN } from './users.ts';

/** Starts the components of EKS that the config names. */
export function addEks(cluster: Cluster, aws: Aws): void {
  if (hasEksComponent(cluster.config, 'amazon-eks-pod-identity-webhook')) addPodIdentityWebhook(cluster, aws);
  if (hasEksComponent(cluster.config, 'amazon-vpc-cni')) addVpcCni(cluster, aws);
}

function addPodIdentityWebhook(cluster: Cluster, { options: { region } }: Aws): void {
  addAccountProcess(cluster, {
    name: 'amazon-eks-pod-identity-webhook',
    account: POD_IDENTITY_WEBHOOK,
    rules: POD_IDENTITY_WEBHOOK_RULES,
    install: installPodIdentityWebhook,
    run: (actor, client) => {
      const listen: Parameters<typeof runPodIdentityWebhook>[0]['config']['listen'] = (handle) =>
        cluster.localhost.listen(POD_IDENTITY_WEBHOOK_PORT, actor, handle);
      return runPodIdentityWebhook({ client, config: { region, listen } });
    },
  });
}

/** Nodes have no network before aws-node has made one. */
function addVpcCni(cluster: Cluster, aws: Aws): void {
  for (const [node, { containerd, cniPlugins }] of cluster.machines) {
    containerd.removeNetworkConfiguration();
    const store = new DataStore(() => cluster.simulation.now);
    addAccountProcess(cluster, {
      name: `${AWS_NODE}/${node}`,
      account: AWS_NODE,
      rules: AWS_NODE_RULES,
      run: (actor) => {
        const installPlugin: AwsNodeConfig['installPlugin'] = (name, plugin) => void cniPlugins.set(name, plugin);
        const config = { ...cluster.config.addons?.['amazon-vpc-cni'], node, store, installPlugin };
        return runAwsNode({ actor, config: { ...config, aws: awsClientOf(aws, actor), files: containerd.files } });
      },
    });
  }
}

interface AccountProcess {
  readonly name: string;
  /** Its service account in kube-system. */
  readonly account: string;
  readonly rules: readonly PolicyRule[];
  /** Creates what else it needs. */
  readonly install?: (client: Client) => Promise<void>;
  readonly run: (actor: Actor, client: Client) => void | Promise<void>;
}

/** A process with a service account of its own; it starts when that is there. */
function addAccountProcess(cluster: Cluster, { name, account, rules, install, run }: AccountProcess): void {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
  const process = cluster.addProcess(name, { username: `system:serviceaccount:kube-system:${account}`, groups }, run);
  const installer = async (_: Actor, client: Client): Promise<void> => {
    await installAccount(client, { account, role: account, rules });
    await install?.(client);
    process.start();
  };
  cluster.addProcess(`install-${name}`, KUBERNETES_ADMIN, installer).start();
}
