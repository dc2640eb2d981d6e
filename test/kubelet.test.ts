// Goal: what people see of a node and its pods, beyond the recorded histories. Method: a whole cluster, manifests in, statuses, events and logs out.
import { resources } from 'bottleship';
import type { TestCluster } from 'bottleship/testing';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../src/api/kinds/core-v1.ts';
import { containerOf, oneNode, pod, running, shell, statusOf } from './support/pods.ts';

const { nodes, pods, events } = resources;

/** What the first container of a pod wrote, asked of kube-apiserver. */
async function logs(cluster: TestCluster, name: string, query: Record<string, string> = {}): Promise<string[]> {
  const info = {
    isResourceRequest: true,
    verb: 'get',
    path: '',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'log',
    namespace: 'default',
    name,
  };
  const { code, text = '', body } = await cluster.call((client) => client.send({ info, query, headers: {} }));
  expect(code, JSON.stringify(body)).toBe(200);
  return text.split('\n').slice(0, -1);
}

describe('a node', () => {
  it('registers with its size, address and runtime, and holds a lease', async () => {
    const cluster = await oneNode();
    const node = await cluster.get(nodes, 'n1');
    expect(node?.status).toMatchObject({
      capacity: { cpu: '2', memory: '4Gi', pods: '110' },
      allocatable: { cpu: '2', memory: '3996Mi' },
      nodeInfo: { kubeletVersion: 'v1.34.3', containerRuntimeVersion: expect.stringMatching(/^containerd:\/\//), operatingSystem: 'linux' },
    });
    expect(node?.status?.conditions?.map(({ type, status, reason }) => `${type}=${status} ${reason}`)).toEqual([
      'MemoryPressure=False KubeletHasSufficientMemory',
      'DiskPressure=False KubeletHasNoDiskPressure',
      'PIDPressure=False KubeletHasSufficientPID',
      'Ready=True KubeletReady',
    ]);
    const lease = await cluster.get(resources.leases, { namespace: 'kube-node-lease', name: 'n1' });
    expect(lease).toMatchObject({
      spec: { holderIdentity: 'n1', leaseDurationSeconds: 40 },
      metadata: { ownerReferences: [{ kind: 'Node', name: 'n1' }] },
    });
  });

  it('backs off from a container that its liveness probe kills again and again, once the delay is longer than its life', async () => {
    const cluster = await oneNode();
    const livenessProbe = { exec: { command: ['sh', '-c', 'exit 1'] } };
    await cluster.apply(pod('sick', { containers: [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '100000'], livenessProbe }] }));
    await cluster.advance(300_000);
    expect(await containerOf(cluster, 'sick')).toMatchObject({ restartCount: 4, state: { running: expect.anything() } });
    await cluster.advance(120_000);
    const waiting = { reason: 'CrashLoopBackOff', message: expect.stringContaining('back-off 1m20s restarting failed container=') };
    expect(await containerOf(cluster, 'sick')).toMatchObject({ restartCount: 5, state: { waiting } });
  });

  it('refuses a pod that was put on it and does not fit', async () => {
    const cluster = await oneNode();
    await cluster.apply(
      pod('big', { nodeName: 'n1', containers: [{ name: 'c', image: 'nginx:1.27', resources: { requests: { cpu: '3' } } }] }),
    );
    await cluster.settle();
    expect(await statusOf(cluster, 'big')).toMatchObject({
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 3000, used: 0, capacity: 2000",
    });
    await cluster.expectEvents(pods, 'big', [
      "Warning OutOfcpu: Node didn't have enough resource: cpu, requested: 3000, used: 0, capacity: 2000",
    ]);
  });

  it('tells of each start of its kubelet', async () => {
    const cluster = await oneNode();
    const told = async () =>
      (await cluster.list(events, { namespace: 'default' }))
        .filter(({ involvedObject, source }) => involvedObject.name === 'n1' && source?.component === 'kubelet')
        .map(({ reason, message }) => `${reason}: ${message}`)
        .sort();
    const once = [
      'NodeAllocatableEnforced: Updated Node Allocatable limit across pods',
      'NodeHasNoDiskPressure: Node n1 status is now: NodeHasNoDiskPressure',
      'NodeHasSufficientMemory: Node n1 status is now: NodeHasSufficientMemory',
      'NodeHasSufficientPID: Node n1 status is now: NodeHasSufficientPID',
      'Starting: Starting kubelet.',
    ];
    expect(await told()).toEqual(once);
    cluster.crash('kubelet/n1');
    cluster.restart('kubelet/n1');
    await cluster.advance(5_000);
    expect(await told()).toEqual([...once, ...once].sort());
  });

  it('keeps containers running while its kubelet is down, and catches up', async () => {
    const cluster = await oneNode();
    await cluster.apply([
      shell('stays', 'exec sleep 10000'),
      shell('goes', "trap 'exit 0' TERM; sleep 10000 & wait"),
      shell('ends', 'sleep 20; exit 3'),
    ]);
    await cluster.waitUntil(pods, 'ends', { fits: running });
    const before = await containerOf(cluster, 'stays');
    cluster.crash('kubelet/n1');
    await cluster.advance(5_000);
    const deletion = cluster.startKubectl({ args: ['delete', 'pod', 'goes', '--wait=false'] });
    await cluster.advance(25_000);
    expect((await deletion).code).toBe(0);
    cluster.restart('kubelet/n1');
    await cluster.settle();
    expect(await containerOf(cluster, 'stays')).toEqual(before);
    expect(await cluster.get(pods, 'goes')).toBeUndefined();
    expect(await statusOf(cluster, 'ends')).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ restartCount: 0, state: { terminated: { exitCode: 3 } } }],
    });
  });

  it('asks startup probes again when its kubelet comes back', async () => {
    const cluster = await oneNode();
    const probe = { exec: { command: ['true'] }, periodSeconds: 1 };
    const side = { name: 'side', image: 'busybox:1.36', command: ['sleep', '10000'], restartPolicy: 'Always', startupProbe: probe };
    await cluster.apply(
      pod('web', {
        initContainers: [side],
        containers: [{ name: 'web', image: 'nginx:1.27', startupProbe: probe, readinessProbe: probe }],
      }),
    );
    await cluster.waitUntil(pods, 'web', { fits: ({ status }) => status?.initContainerStatuses?.[0]?.state?.running !== undefined });
    cluster.crash('kubelet/n1');
    await cluster.advance(2_000);
    cluster.restart('kubelet/n1');
    expect((await cluster.waitUntilReady(pods, 'web')).status?.containerStatuses).toMatchObject([
      { started: true, ready: true, restartCount: 0 },
    ]);
  });

  it('starts its pods again after a power cut', async () => {
    const cluster = await oneNode();
    await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27' }] }));
    await cluster.settle();
    cluster.fault({ fault: 'stop-node', node: 'n1' });
    await cluster.advance(1_000);
    cluster.fault({ fault: 'start-node', node: 'n1' });
    await cluster.settle();
    expect(await containerOf(cluster, 'web')).toMatchObject({
      restartCount: 1,
      state: { running: {} },
      lastState: { terminated: { exitCode: 255, reason: 'Unknown' } },
    });
    expect(await cluster.eventsOf(pods, 'web')).toContain('Normal SandboxChanged: Pod sandbox changed, it will be killed and re-created.');
    const told = (await cluster.list(events, { namespace: 'default' })).filter(({ involvedObject }) => involvedObject.kind === 'Node');
    expect(told.map(({ reason }) => reason)).toContain('Rebooted');
  });
});

it('goes on trying with policy OnFailure, however often its container fails', async () => {
  const cluster = await oneNode();
  await cluster.apply(shell('sick', 'exit 4', { restartPolicy: 'OnFailure' }));
  await cluster.advance(60_000);
  expect(await statusOf(cluster, 'sick')).toMatchObject({
    phase: 'Running',
    containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 4 } } }],
  });
});

describe('a container runtime that goes down', () => {
  it('makes the node not ready; when it is back, its pods run again', async () => {
    const cluster = await oneNode();
    await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27' }] }));
    await cluster.waitUntilReady(pods, 'web');
    cluster.crash('containerd/n1');
    const ready = async () => (await cluster.get(nodes, 'n1'))?.status?.conditions?.find(({ type }) => type === 'Ready');
    await cluster.advance(20_000);
    expect(await ready()).toMatchObject({ status: 'True' });
    await cluster.advance(30_000);
    expect(await ready()).toMatchObject({ status: 'False', reason: 'KubeletNotReady', message: 'container runtime is down' });
    cluster.restart('containerd/n1');
    await cluster.advance(15_000);
    await cluster.settle();
    expect((await cluster.get(nodes, 'n1'))?.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' });
    expect(await containerOf(cluster, 'web')).toMatchObject({ ready: true, restartCount: 1 });
  });

  it('is noticed by its silence, too, when it only stands still', async () => {
    const cluster = await oneNode();
    cluster.fault({ fault: 'pause', component: 'containerd/n1' });
    await cluster.advance(200_000);
    expect((await cluster.get(nodes, 'n1'))?.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      message: expect.stringMatching(
        /^\[container runtime is down, PLEG is not healthy: pleg was last seen active 3m\d+(\.\d+)?s ago; threshold is 3m0s\]$/,
      ),
    });
    cluster.fault({ fault: 'resume', component: 'containerd/n1' });
    await cluster.advance(15_000);
    expect((await cluster.get(nodes, 'n1'))?.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' });
  });

  it('may be down when the kubelet starts', async () => {
    const cluster = await oneNode();
    await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27' }] }));
    await cluster.waitUntilReady(pods, 'web');
    cluster.crash('containerd/n1');
    cluster.crash('kubelet/n1');
    cluster.restart('kubelet/n1');
    await cluster.advance(20_000);
    cluster.restart('containerd/n1');
    await cluster.advance(30_000);
    await cluster.settle();
    expect(await containerOf(cluster, 'web')).toMatchObject({ ready: true, restartCount: 1 });
  });
});

describe('a container', () => {
  it('gets its environment from everywhere', async () => {
    const cluster = await oneNode();
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
      data: { MODE: 'fast', level: '3' },
    } as never);
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', namespace: 'default' },
      stringData: { word: 'geheim' },
    } as never);
    await cluster.apply(
      pod('env', {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'main',
            image: 'busybox:1.36',
            command: ['sh', '-c', "echo $MODE $P_word $LEVEL $ME $IP $(BOTH) '$$(kept)'"],
            args: [],
            envFrom: [{ configMapRef: { name: 'settings' } }, { prefix: 'P_', secretRef: { name: 'key' } }],
            env: [
              { name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } },
              { name: 'ME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
              { name: 'BOTH', value: '$(ME)-$(LEVEL)' },
            ],
          },
        ],
      }),
    );
    await cluster.settle();
    const { podIP } = await statusOf(cluster, 'env');
    expect(await logs(cluster, 'env')).toEqual([`fast geheim 3 env ${podIP} env-3 $(kept)`]);
  });

  it('sees a ConfigMap volume change within about a minute', async () => {
    const cluster = await oneNode();
    const config = (text: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'page', namespace: 'default' },
      data: { 'index.html': text },
    });
    await cluster.apply(config('one') as never);
    const mounts = {
      containers: [
        {
          name: 'main',
          image: 'busybox:1.36',
          command: ['sh', '-c', 'cat /w/index.html; echo; sleep 150; cat /w/index.html; echo'],
          volumeMounts: [{ name: 'w', mountPath: '/w' }],
        },
      ],
      volumes: [{ name: 'w', configMap: { name: 'page' } }],
    };
    await cluster.apply(pod('reader', { restartPolicy: 'Never', ...mounts }));
    await cluster.waitUntil(pods, 'reader', { fits: running });
    await cluster.apply(config('two') as never);
    await cluster.settle();
    expect(await logs(cluster, 'reader')).toEqual(['one', 'two']);
  });

  it('answers probes as its image is declared: ready late, ill later', async () => {
    const image = {
      name: 'app:1',
      protocol: 'grpc' as const,
      ports: [9000],
      startDelayMs: 3_000,
      health: [{ fromMs: 60_000, healthy: false }],
      pull: { ms: 10 },
    };
    const cluster = await oneNode({ images: [image] });
    const probe = { grpc: { port: 9000 }, periodSeconds: 1, failureThreshold: 2 };
    await cluster.apply(
      pod('app', {
        containers: [
          { name: 'app', image: 'app:1', readinessProbe: probe, livenessProbe: { ...probe, periodSeconds: 5, initialDelaySeconds: 10 } },
        ],
      }),
    );
    await cluster.waitUntilReady(pods, 'app');
    expect((await cluster.eventsOf(pods, 'app')).filter((line) => line.includes('Unhealthy'))[0]).toMatch(
      /^Warning Unhealthy: Readiness probe failed: timeout: failed to connect service "[\d.]+:9000" within 1s: context deadline exceeded \(x\d+\)$/,
    );
    await cluster.waitUntil(pods, 'app', { withinMs: 120_000, fits: ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1 });
    expect(await cluster.eventsOf(pods, 'app')).toContain('Normal Killing: Container app failed liveness probe, will be restarted');
  });
});

describe('a cluster settles', () => {
  it.each<[string, Pod]>([
    ['crashes for ever', pod('p', { containers: [{ name: 'c', image: 'busybox:1.36', command: ['false'] }] })],
    [
      'waits for a ConfigMap that nobody makes',
      pod('p', { containers: [{ name: 'c', image: 'nginx:1.27', envFrom: [{ configMapRef: { name: 'nope' } }] }] }),
    ],
    [
      'waits for a Secret volume that nobody makes',
      pod('p', { containers: [{ name: 'c', image: 'nginx:1.27' }], volumes: [{ name: 'v', secret: { secretName: 'nope' } }] }),
    ],
    ['cannot pull its image', pod('p', { containers: [{ name: 'c', image: 'localhost:5999/nope:1' }] })],
    ['never gets ready', pod('p', { containers: [{ name: 'c', image: 'nginx:1.27', readinessProbe: { tcpSocket: { port: 1 } } }] })],
    [
      'fails its liveness probe again and again',
      pod('p', { containers: [{ name: 'c', image: 'nginx:1.27', livenessProbe: { tcpSocket: { port: 1 }, periodSeconds: 1 } }] }),
    ],
    ['loops', shell('p', 'while true; do date; sleep 1; done')],
  ])('although a pod %s', async (_, object) => {
    const cluster = await oneNode();
    await cluster.apply(object);
    const before = cluster.simulation.now;
    await cluster.settle();
    expect(cluster.simulation.now - before).toBeLessThan(2 * 3600_000);
  });

  it('and an idle node costs next to nothing', async () => {
    const cluster = await oneNode();
    await cluster.apply(
      Array.from({ length: 20 }, (_, index) => pod(`web-${index}`, { containers: [{ name: 'c', image: 'nginx:1.27' }] })),
    );
    await cluster.settle();
    const { executed } = cluster.simulation;
    await cluster.advance(60_000);
    expect(cluster.simulation.executed - executed).toBeLessThan(700);
  });
});

describe('what is left of deleted pods', () => {
  it('is removed from the node after a while', async () => {
    const cluster = await oneNode();
    await cluster.apply(Array.from({ length: 5 }, (_, index) => pod(`web-${index}`, { containers: [{ name: 'c', image: 'nginx:1.27' }] })));
    await cluster.settle();
    for (let index = 0; index < 5; index++) await cluster.delete(pods, `web-${index}`);
    await cluster.settle();
    await cluster.advance(130_000);
    const runtime = cluster.serviceNetwork.runtimeOf('n1');
    expect(runtime?.runtime.listPods()).toEqual([]);
    expect(runtime?.files.list('/var/lib/kubelet/pods')).toEqual([]);
  });
});
