import { Aws } from '../../components/aws/aws.ts';
import { machineAddress } from '../../components/aws/ec2/ec2.ts';
import { INSTANCE_TYPES, type InstanceType } from '../../components/aws/instance-types.ts';
import { maxPods } from '../../components/aws/max-pods.ts';
import { PUBLIC_KEY } from '../../components/kube-apiserver/authentication/service-account-key.ts';
import { type Outbound, OutboundError } from '../api/outbound.ts';
import { newBadRequest } from '../api/status-error.ts';
import { AwsClient } from '../client/aws-client.ts';
import type { Actor } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import { Random } from '../sim/random.ts';
import type { Addons } from './addons.ts';
import type { Cluster } from './cluster.ts';
import { type CloudConfig, type ClusterConfig, type NodeConfig, nodesOf } from './config.ts';
import { CLIENT_IP } from './service-network.ts';

/** A role of the account that pods of a service account may take: what `eksctl create iamserviceaccount` creates in IAM. */
export interface AwsRoleConfig {
  readonly name: string;
  /** `namespace/name`. */
  readonly serviceAccount: string;
  /** Whom tokens must be for. Default `sts.amazonaws.com`. */
  readonly audience?: string;
  /** What it may do, e.g. `s3:List*`. Default: nothing. */
  readonly actions?: readonly string[];
}

/** An account of AWS. Zones, region and type of the machines are those of the cluster's `cloud`. */
export interface AwsConfig {
  /** Default 111122223333. */
  readonly accountId?: string;
  readonly roles?: readonly AwsRoleConfig[];
}

/** The addons that run on AWS. */
export const EKS_COMPONENTS = [
  'amazon-vpc-cni',
  'aws-ebs-csi-driver',
  'aws-load-balancer-controller',
  'ack-s3-controller',
  'amazon-eks-pod-identity-webhook',
] as const satisfies readonly (keyof Addons)[];

const DEFAULT_ACCOUNT = '111122223333';
const DEFAULT_REGION = 'us-west-2';
const DEFAULT_TYPE = 'm5.large';
const AUDIENCE = 'sts.amazonaws.com';
const NODE_ROLE = 'eksNodeRole';
const LATENCY_MS = 50;
/** As many as there are subnets of /19 in a /16. */
const MAX_ZONES = 8;

/** Whether the component is named, or all of them are. */
export function hasEksComponent({ addons = {} }: ClusterConfig, name: (typeof EKS_COMPONENTS)[number]): boolean {
  return addons.eks !== undefined || addons[name] !== undefined;
}

function usesAws({ addons = {} }: ClusterConfig): boolean {
  return addons.eks !== undefined || addons.aws !== undefined || EKS_COMPONENTS.some((name) => addons[name] !== undefined);
}

/** Whether kube-apiserver has to reach webhooks on its own machine. */
export function hasEksWebhooks(config: ClusterConfig): boolean {
  return hasEksComponent(config, 'amazon-eks-pod-identity-webhook') || hasEksComponent(config, 'aws-load-balancer-controller');
}

/** What a cluster on AWS is made of, unless its config says otherwise: machines of a type, in zones, each with an address of the VPC; tokens that others can check. */
export function onAws(config: ClusterConfig): ClusterConfig {
  if (!usesAws(config)) return config;
  const cloud = cloudOf(config);
  const type = typeOf(cloud);
  const zones = cloud.zones ?? [];
  const { nodes = 3, flags = {}, seed = '1' } = config;
  const list: readonly NodeConfig[] =
    typeof nodes === 'number' ? Array.from({ length: nodes }, (_, index) => ({ name: `n${index + 1}` })) : nodes;
  const id = new Random(`eks/${seed}`).hex(32).toUpperCase();
  const issuer = `https://oidc.eks.${cloud.region}.amazonaws.com/id/${id}`;
  return {
    ...config,
    cloud,
    nodes: list.map((node, index) => ({
      cpu: String(type.vcpus),
      memory: `${type.memoryMiB}Mi`,
      ...(hasEksComponent(config, 'amazon-vpc-cni') ? { pods: maxPods(type) } : {}),
      ip: machineAddress(index % zones.length, Math.floor(index / zones.length)),
      ...node,
    })),
    flags: {
      ...flags,
      'kube-apiserver': { 'service-account-issuer': issuer, ...flags['kube-apiserver'] },
      'cloud-controller-manager': { 'configure-cloud-routes': false, ...flags['cloud-controller-manager'] },
    },
  };
}

/** @throws ApiStatusError when there is no such type, or too many zones */
function cloudOf({ cloud = {} }: ClusterConfig): CloudConfig {
  const { region = DEFAULT_REGION } = cloud;
  const { zones = [`${region}a`, `${region}b`] } = cloud;
  if (zones.length > MAX_ZONES || zones.length === 0) throw newBadRequest(`there is room for 1 to ${MAX_ZONES} zones`);
  typeOf(cloud);
  return { instanceType: DEFAULT_TYPE, ...cloud, region, zones };
}

function typeOf({ instanceType = DEFAULT_TYPE }: CloudConfig): InstanceType {
  const type = INSTANCE_TYPES.get(instanceType);
  if (!type)
    throw newBadRequest(`there is no instance type ${JSON.stringify(instanceType)}; there are ${[...INSTANCE_TYPES.keys()].join(', ')}`);
  return type;
}

/** The account that the cluster runs in, with a machine for each node; undefined when it runs elsewhere. */
export function addAws(cluster: Cluster): Aws | undefined {
  const { config, simulation } = cluster;
  if (!usesAws(config)) return undefined;
  const cloud = cloudOf(config);
  const zones = cloud.zones ?? [];
  const actor = simulation.actor('aws', () => {});
  actor.start();
  const issuer = config.flags?.['kube-apiserver']?.['service-account-issuer'];
  const { accountId = DEFAULT_ACCOUNT, roles = [] } = config.addons?.aws ?? {};
  const aws = new Aws(actor, {
    accountId,
    region: cloud.region ?? DEFAULT_REGION,
    zones,
    probe: (target, port) => answers(cluster, target, port),
    // EKS publishes the documents of a cluster's issuer by itself: kube-apiserver may be down.
    keysOfIssuer: (asked) => (asked === issuer ? [PUBLIC_KEY] : undefined),
  });
  for (const [index, { name, ip }] of nodesOf(config.nodes).entries())
    aws.ec2.run({ name, type: typeOf(cloud), zone: zones[index % zones.length] ?? '', ip });
  cluster.serviceNetwork.balancers.add(aws.elb.front);
  aws.iam.createRole({ name: NODE_ROLE, trust: [], actions: ['*'] });
  if (issuer !== undefined) addRoles(aws, issuer, roles);
  return aws;
}

/** Whether a health check finds somebody: at the address of a pod, or behind a port of a machine. */
function answers(cluster: Cluster, target: string, port: number): boolean {
  const { serviceNetwork, aws } = cluster;
  const machine = aws?.ec2.instances.all.find(({ instanceId }) => instanceId === target);
  if (!machine) return serviceNetwork.networkAt(target)?.at(port) !== undefined;
  const behind = serviceNetwork.receiversBehind({ ip: machine.privateIpAddress, port, from: CLIENT_IP });
  return behind.some((reached) => reached.network.at(reached.port) !== undefined);
}

/** The cluster's issuer as an identity provider of the account, and roles that trust one service account each. */
function addRoles({ iam }: Aws, issuer: string, roles: readonly AwsRoleConfig[]): void {
  const provider = iam.createProvider(issuer, [AUDIENCE]);
  for (const { name, serviceAccount, audience = AUDIENCE, actions = [] } of roles) {
    const [namespace, account] = serviceAccount.split('/');
    const conditions = { [`${provider.url}:sub`]: `system:serviceaccount:${namespace}:${account}`, [`${provider.url}:aud`]: audience };
    const Principal = { Federated: provider.arn };
    const statement = {
      Effect: 'Allow',
      Principal,
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: { StringEquals: conditions },
    } as const;
    iam.createRole({ name, actions, trust: [statement] });
  }
}

/** How a process sends requests to AWS: over the network, in virtual time. */
export function awsOutbound(aws: Aws, actor: Actor): Outbound {
  const times = { requestMs: LATENCY_MS / 2, responseMs: LATENCY_MS / 2 };
  return async (request) => {
    try {
      return await actor.call(aws.actor, () => aws.handle(request), times);
    } catch (error) {
      if (!(error instanceof ActorUnavailable)) throw error;
      throw new OutboundError(
        error.how === 'refused' ? 'dial tcp: connect: connection refused' : 'read tcp: read: connection reset by peer',
      );
    }
  };
}

/** A client with the role that machines have. */
export function awsClientOf(aws: Aws, actor: Actor): AwsClient {
  const role = aws.iam.roles.get(NODE_ROLE);
  const credentials = role && { accessKeyId: aws.iam.issue(role, actor.name.replaceAll('/', '-')).accessKeyId };
  return new AwsClient({ send: awsOutbound(aws, actor), region: aws.options.region, ...(credentials ? { credentials } : {}) });
}
