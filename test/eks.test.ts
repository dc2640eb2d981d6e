// Goal: EKS as a whole, on the simulated AWS: all its components together, each as its own process; and none of it in other clusters. Method: whole clusters.
import { describe, expect, it } from 'vitest';
import { buckets } from '../components/ack-s3-controller/api.ts';
import { ingresses, nodes, persistentvolumeclaims, pods, serviceaccounts } from '../src/api/resources.ts';
import { createTestCluster, type TestCluster } from '../src/testing/index.ts';

const PROCESSES = [
  'ack-s3-controller',
  'amazon-eks-pod-identity-webhook',
  'aws-load-balancer-controller',
  'aws-node/n1',
  'ebs-csi-controller',
  'ebs-csi-node/n1',
];
const ACCOUNTS = ['ack-s3-controller', 'aws-load-balancer-controller', 'aws-node', 'ebs-csi-controller-sa', 'pod-identity-webhook'];

const EVERYTHING = `
apiVersion: v1
kind: ServiceAccount
metadata:
  name: shop
  annotations: { eks.amazonaws.com/role-arn: 'arn:aws:iam::111122223333:role/shop' }
---
apiVersion: s3.services.k8s.aws/v1alpha1
kind: Bucket
metadata: { name: orders }
spec: { name: orders-4711 }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: cart }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Service
metadata: { name: shop }
spec: { selector: { app: shop }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop, annotations: { alb.ingress.kubernetes.io/target-type: ip } }
spec: { ingressClassName: alb, defaultBackend: { service: { name: shop, port: { number: 80 } } } }
`;
const POD = `
apiVersion: v1
kind: Pod
metadata: { name: shop, labels: { app: shop } }
spec:
  serviceAccountName: shop
  containers: [{ name: shop, image: 'nginx:1.27', volumeMounts: [{ name: cart, mountPath: /cart }] }]
  volumes: [{ name: cart, persistentVolumeClaim: { claimName: cart } }]
`;

function eks(): Promise<TestCluster> {
  const roles = [{ name: 'shop', serviceAccount: 'default/shop', actions: ['s3:*'] }];
  return createTestCluster({ nodes: 2, cloud: { instanceType: 't3.medium' }, addons: { eks: {}, aws: { roles } } });
}

async function expectAllOf(cluster: TestCluster): Promise<void> {
  const pod = await cluster.get(pods, 'shop');
  expect(pod?.status?.phase).toBe('Running');
  expect(pod?.status?.podIP).toMatch(/^192\.168\./);
  expect(pod?.spec?.volumes?.[0]?.name).toBe('aws-iam-token');
  expect((await cluster.get(persistentvolumeclaims, 'cart'))?.status?.phase).toBe('Bound');
  expect((await cluster.get(ingresses, 'shop'))?.status?.loadBalancer?.ingress?.[0]?.hostname).toMatch(/\.us-west-2\.elb\.amazonaws\.com$/);
  expect((await cluster.get(buckets, 'orders'))?.status?.conditions?.[0]).toMatchObject({ type: 'ACK.ResourceSynced', status: 'True' });
}

describe('EKS', () => {
  it('runs a shop with a volume, a load balancer, a bucket and a role', async () => {
    const cluster = await eks();
    const accounts = (await cluster.list(serviceaccounts, { namespace: 'kube-system' })).map(({ metadata }) => metadata.name);
    expect(accounts).toEqual(expect.arrayContaining(ACCOUNTS));
    expect(PROCESSES.filter((name) => cluster.simulation.actors.get(name)?.state !== 'running')).toEqual([]);
    const node = await cluster.get(nodes, 'n2');
    expect(node?.spec?.providerID).toMatch(/^aws:\/\/\/us-west-2b\/i-0[0-9a-f]{16}$/);
    expect(node?.metadata.labels).toMatchObject({
      'node.kubernetes.io/instance-type': 't3.medium',
      'topology.kubernetes.io/zone': 'us-west-2b',
      'topology.kubernetes.io/region': 'us-west-2',
      'topology.ebs.csi.aws.com/zone': 'us-west-2b',
    });
    expect(node?.status?.capacity).toMatchObject({ cpu: '2', pods: '17' });
    await cluster.apply(EVERYTHING);
    await cluster.settle();
    await cluster.apply(POD);
    await cluster.settle();
    await expectAllOf(cluster);
  });

  it('comes to the same when all of its processes crash and start anew', async () => {
    const cluster = await eks();
    await cluster.apply(EVERYTHING);
    await cluster.settle();
    await cluster.apply(POD);
    await cluster.advance(1_500);
    const sidecars = ['csi-provisioner', 'csi-attacher', 'csi-resizer'].map((name) => `ebs-csi-controller/${name}`);
    const crashing = [...PROCESSES, 'aws-node/n2', 'ebs-csi-node/n2', ...sidecars, 'cloud-controller-manager'];
    for (const name of crashing) cluster.crash(name);
    await cluster.advance(3_000);
    for (const name of crashing) cluster.restart(name);
    await cluster.settle();
    await cluster.advance(120_000);
    await expectAllOf(cluster);
  });

  it('comes to the same when AWS has been away for a while', async () => {
    const cluster = await eks();
    cluster.crash('aws');
    await cluster.apply(EVERYTHING);
    await cluster.advance(5_000);
    await cluster.apply(POD);
    await cluster.advance(20_000);
    expect((await cluster.eventsOf(ingresses, 'shop')).join('\n')).toContain(
      'StatusCode: 0, RequestID: , request send failed, Post "https://ec2.us-west-2.amazonaws.com/": dial tcp: connect: connection refused',
    );
    expect((await cluster.get(buckets, 'orders'))?.status?.conditions?.[0]?.type).toBe('ACK.Recoverable');
    cluster.restart('aws');
    await cluster.settle();
    await cluster.advance(120_000);
    await expectAllOf(cluster);
  });

  it('is not there unless it is asked for', async () => {
    const cluster = await createTestCluster({ nodes: 1, addons: { 'csi-driver': {} } });
    expect([...cluster.simulation.actors.keys()].filter((name) => /aws|ebs|ack|amazon/.test(name))).toEqual([]);
    expect([cluster.aws, cluster.outbound]).toEqual([undefined, undefined]);
  });

  it('gets along with other addons', async () => {
    const addons = { eks: {}, 'csi-driver': {}, 'metrics-server': {}, 'metrics-adapter': {}, metacontroller: {}, 'database-operator': {} };
    const cluster = await createTestCluster({ nodes: 2, addons });
    const running = (await cluster.list(pods))
      .filter(({ status }) => status?.phase === 'Running')
      .map(({ metadata: { labels } }) => labels?.['app'] ?? labels?.['k8s-app'] ?? labels?.['app.kubernetes.io/name']);
    expect(running.sort()).toEqual(['metacontroller', 'metrics-adapter', 'metrics-server']);
  });

  it('says which types of machines there are', async () => {
    await expect(createTestCluster({ cloud: { instanceType: 'z9.huge' }, addons: { eks: {} } })).rejects.toThrow(
      'there is no instance type "z9.huge"; there are t3.nano',
    );
  });
});
