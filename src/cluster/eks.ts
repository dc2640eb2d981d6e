import { bucketController } from '../../components/ack-s3-controller/bucket-controller.ts';
import { ACK_S3_CONTROLLER, ACK_S3_CONTROLLER_RULES, installAckS3Controller } from '../../components/ack-s3-controller/manifests.ts';
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
import { EbsController } from '../../components/aws-ebs-csi-driver/controller-service.ts';
import { DRIVER_NAME, EBS_CONTROLLER, EBS_NODE, installEbsCsiDriver } from '../../components/aws-ebs-csi-driver/manifests.ts';
import { MountedVolumes } from '../../components/aws-ebs-csi-driver/mounted-volumes.ts';
import { runEbsNode } from '../../components/aws-ebs-csi-driver/node-service.ts';
import {
  AWS_LOAD_BALANCER_CONTROLLER,
  AWS_LOAD_BALANCER_CONTROLLER_RULES,
  AWS_LOAD_BALANCER_WEBHOOK_PORT,
  installAwsLoadBalancerController,
  installServiceWebhook,
} from '../../components/aws-load-balancer-controller/manifests.ts';
import { answerServiceWebhook } from '../../components/aws-load-balancer-controller/mutate-service.ts';
import { runAwsLoadBalancerController } from '../../components/aws-load-balancer-controller/server.ts';
import type { PolicyRule } from '../api/kinds/rbac-v1.ts';
import type { Client } from '../client/client.ts';
import { installAccount } from '../client/install.ts';
import type { Actor } from '../sim/actor.ts';
import { awsClientOf, hasEksComponent } from './aws.ts';
import type { Cluster } from './cluster.ts';
import { csiSidecarRules, csiSidecars } from './csi.ts';
import { KUBERNETES_ADMIN, serviceAccountUser } from './users.ts';

/** Starts the components of EKS that the config names. */
export function addEks(cluster: Cluster, aws: Aws): void {
  if (hasEksComponent(cluster.config, 'amazon-eks-pod-identity-webhook')) addPodIdentityWebhook(cluster, aws);
  if (hasEksComponent(cluster.config, 'amazon-vpc-cni')) addVpcCni(cluster, aws);
  if (hasEksComponent(cluster.config, 'aws-ebs-csi-driver')) addEbsCsiDriver(cluster, aws);
  if (hasEksComponent(cluster.config, 'aws-load-balancer-controller')) addLoadBalancerController(cluster, aws);
  if (hasEksComponent(cluster.config, 'ack-s3-controller')) addAckS3Controller(cluster, aws);
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
    const store = new DataStore(() => cluster.simulation.now, cluster.config.addons?.['amazon-vpc-cni']?.ipCooldownPeriod);
    addAccountProcess(cluster, {
      name: `${AWS_NODE}/${node}`,
      account: AWS_NODE,
      rules: AWS_NODE_RULES,
      run: (actor) => {
        const installPlugin: AwsNodeConfig['installPlugin'] = (name, plugin) => void cniPlugins.set(name, plugin);
        const config = { ...cluster.config.addons?.['amazon-vpc-cni'], node, store, installPlugin, bootId: () => containerd.bootId };
        return runAwsNode({ actor, config: { ...config, aws: awsClientOf(aws, actor), files: containerd.files } });
      },
    });
  }
}

/** The controller with its sidecars, as one pod with one account, and the driver on each node. */
function addEbsCsiDriver(cluster: Cluster, aws: Aws): void {
  const { name, account } = EBS_CONTROLLER;
  const controller: Actor = cluster.simulation.actor(name, () => {});
  controller.start();
  const service = new EbsController(controller, awsClientOf(aws, controller));
  const sidecars = csiSidecars(cluster, { driver: DRIVER_NAME, socket: () => ({ process: controller, service }), pod: EBS_CONTROLLER });
  const install = async (_: Actor, client: Client): Promise<void> => {
    await installAccount(client, { account, role: account, rules: csiSidecarRules(cluster) });
    await installEbsCsiDriver(client);
    for (const process of sidecars) process.start();
  };
  cluster.addProcess(`install-${name}`, KUBERNETES_ADMIN, install).start();
  const { ec2 } = aws;
  const machines = new Map<string, MountedVolumes>();
  ec2.volumes.onDetach = (instanceId, volumeId) => {
    const disk = ec2.volumes.contentOn(instanceId, volumeId);
    if (disk) machines.get(instanceId)?.unmount(volumeId, disk);
  };
  ec2.volumes.onSnapshot = (instanceId, volumeId) => {
    const disk = ec2.volumes.contentOn(instanceId, volumeId);
    if (disk) machines.get(instanceId)?.flush(volumeId, disk);
  };
  for (const [node, { sockets, containerd }] of cluster.machines) {
    const instance = ec2.instances.all.find((each) => each.name === node);
    if (!instance) continue;
    const { instanceId, type, subnet } = instance;
    const device = (volumeId: string) => ec2.volumes.contentOn(instanceId, volumeId);
    const mounted = new MountedVolumes(containerd.files);
    machines.set(instanceId, mounted);
    const program = (actor: Actor): void => {
      const interfaces = ec2.interfaces.of(instance).length;
      const metadata = { instanceId, availabilityZone: subnet.availabilityZone, hypervisor: type.hypervisor, interfaces };
      runEbsNode({ actor, config: { metadata, sockets, mounted, device } });
    };
    cluster.simulation.actor(`${EBS_NODE}/${node}`, program).start();
  }
}

function addLoadBalancerController(cluster: Cluster, aws: Aws): void {
  addAccountProcess(cluster, {
    name: AWS_LOAD_BALANCER_CONTROLLER,
    account: AWS_LOAD_BALANCER_CONTROLLER,
    rules: AWS_LOAD_BALANCER_CONTROLLER_RULES,
    install: installAwsLoadBalancerController,
    onceStarted: installServiceWebhook,
    run: (actor, client) => {
      cluster.localhost.listen(AWS_LOAD_BALANCER_WEBHOOK_PORT, actor, answerServiceWebhook);
      return runAwsLoadBalancerController({ actor, client, aws: awsClientOf(aws, actor) });
    },
  });
}

function addAckS3Controller(cluster: Cluster, aws: Aws): void {
  addAccountProcess(cluster, {
    name: ACK_S3_CONTROLLER,
    account: ACK_S3_CONTROLLER,
    rules: ACK_S3_CONTROLLER_RULES,
    install: installAckS3Controller,
    run: (actor, client) => bucketController(awsClientOf(aws, actor)).start({ actor, client }),
  });
}

interface AccountProcess {
  readonly name: string;
  /** Its service account in kube-system. */
  readonly account: string;
  readonly rules: readonly PolicyRule[];
  /** Creates what else it needs. */
  readonly install?: (client: Client) => Promise<void>;
  /** Creates what needs it to be there. */
  readonly onceStarted?: (client: Client) => Promise<void>;
  readonly run: (actor: Actor, client: Client) => void | Promise<void>;
}

/** A process with a service account of its own; it starts when that is there. */
function addAccountProcess(cluster: Cluster, { name, account, rules, install, onceStarted, run }: AccountProcess): void {
  const process = cluster.addProcess(name, serviceAccountUser(account), run);
  const installer = async (_: Actor, client: Client): Promise<void> => {
    await installAccount(client, { account, role: account, rules });
    await install?.(client);
    process.start();
    await onceStarted?.(client);
  };
  cluster.addProcess(`install-${name}`, KUBERNETES_ADMIN, installer).start();
}
