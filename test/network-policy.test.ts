// Goal: NetworkPolicies do in the cluster's network what they say. Method: pods that a policy is about talk to each other, to DNS and through a Service.
import { expect, it } from 'vitest';
import { Cluster } from '../src/cluster/cluster.ts';

const pods = ['web', 'client', 'stranger']
  .map(
    (name, index) => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${name} } }
spec:
  nodeName: n${(index % 2) + 1}
  containers:
    - { name: main, image: ${name === 'web' ? 'nginx:1.27' : 'busybox:1.36, command: [sleep, "100000"]'} }
`,
  )
  .join('---\n');
const service = `---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 8080, targetPort: 80 }] }
`;
const policy = (name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name }, spec });

async function start(): Promise<{ cluster: Cluster; apply(text: string): Promise<void>; wget(from: string, to: string): Promise<string> }> {
  const cluster = new Cluster({ nodes: 2 });
  await cluster.settle();
  const apply = async (text: string): Promise<void> => {
    const { code, stderr } = await cluster.kubectl(['apply', '-f', 'a.yaml'], { 'a.yaml': text });
    expect(stderr).toEqual([]);
    expect(code).toBe(0);
    await cluster.settle();
  };
  await apply(pods + service);
  const wget = async (from: string, host: string): Promise<string> => {
    const pod = JSON.parse((await cluster.kubectl(['get', 'pod', from, '-o', 'json'])).stdout.join('\n')) as {
      spec: { nodeName: string };
      status: { podIP: string };
    };
    const visit = { node: pod.spec.nodeName, fromIp: pod.status.podIP, namespace: 'default', host, port: 8080, path: '/' };
    const { outcome, status } = await cluster.visit(visit);
    return status === undefined ? outcome : String(status);
  };
  return { cluster, apply, wget };
}

it('lets nobody in by default deny, and those whom another policy names', async () => {
  const { cluster, apply, wget } = await start();
  expect([...cluster.simulation.actors.keys()].filter((name) => name.includes('network-policies'))).toEqual([]);
  expect(await wget('client', 'web')).toBe('200');

  await apply(policy('deny', { podSelector: {}, policyTypes: ['Ingress'] }));
  const before = cluster.simulation.now;
  expect(await wget('client', 'web')).toBe('timeout');
  expect(cluster.simulation.now - before).toBeGreaterThanOrEqual(5_000);

  const from = [{ podSelector: { matchLabels: { app: 'client' } } }];
  await apply(policy('allow', { podSelector: { matchLabels: { app: 'web' } }, ingress: [{ from, ports: [{ port: 80 }] }] }));
  expect([await wget('client', 'web'), await wget('stranger', 'web')]).toEqual(['200', 'timeout']);
  const packets = cluster.simulation.trace.entries.flatMap((entry) =>
    entry.kind === 'runtime' && entry.what === 'packet' ? [entry.message] : [],
  );
  expect(packets).toEqual([
    expect.stringMatching(
      /^kube-network-policies\/n1: 10\.\S+ → 10\.\S+:80\/TCP \(ingress of default\/web\) dropped: no rule of NetworkPolicy default\/deny allows it$/,
    ),
    expect.stringMatching(/accepted by NetworkPolicy default\/allow ingress\[0\]$/),
    expect.stringMatching(/dropped: no rule of NetworkPolicy default\/deny, NetworkPolicy default\/allow allows it$/),
  ]);

  await cluster.kubectl(['delete', 'networkpolicy', '--all']);
  await cluster.settle();
  expect(await wget('stranger', 'web')).toBe('200');
});

it('cuts names off as well when nothing may leave, until DNS is allowed', async () => {
  const { apply, wget, cluster } = await start();
  await apply(policy('deny', { podSelector: { matchLabels: { app: 'client' } }, policyTypes: ['Egress'] }));
  expect(await wget('client', 'web')).toBe('no such name');
  const dns = {
    to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
    ports: [{ port: 53, protocol: 'UDP' }],
  };
  await apply(policy('dns', { podSelector: {}, policyTypes: ['Egress'], egress: [dns] }));
  expect(await wget('client', 'web')).toBe('timeout');
  await apply(
    policy('out', { podSelector: {}, policyTypes: ['Egress'], egress: [{ to: [{ podSelector: { matchLabels: { app: 'web' } } }] }] }),
  );
  expect(await wget('client', 'web')).toBe('200');
  cluster.fault({ fault: 'crash', component: 'kube-network-policies/n2' });
  expect(await wget('client', 'web')).toBe('no such name');
  cluster.fault({ fault: 'restart', component: 'kube-network-policies/n2' });
  await cluster.settle();
  expect(await wget('client', 'web')).toBe('200');
});

it('is not there for clusters whose network does not care', async () => {
  const cluster = new Cluster({ nodes: 1, components: ['kubelet', 'kube-proxy'] });
  await cluster.settle();
  await cluster.kubectl(['apply', '-f', 'a.yaml'], { 'a.yaml': policy('deny', { podSelector: {} }) });
  await cluster.settle();
  expect([...cluster.simulation.actors.keys()].filter((name) => name.includes('network-policies'))).toEqual([]);
});
