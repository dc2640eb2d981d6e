import { expect, it } from 'vitest';
import type { Pod } from '../../src/api/kinds/core-v1.ts';
import { type Outbound, OutboundError } from '../../src/api/outbound.ts';
import { createCluster } from '../../src/cluster/cluster.ts';
import { objectsAt } from '../../src/cluster/history.ts';
import type { ExtenderConfiguration } from './apis/config/kube-scheduler-configuration.ts';

// Goal: a process outside takes part in scheduling over HTTP, in the words of extender/v1. Method: a cluster whose outbound requests are answered here.

type Args = { readonly Pod: Pod; readonly NodeNames: readonly string[] | null; readonly Nodes: { readonly items: readonly Pod[] } | null };
type Answer = (body: Args & Record<string, unknown>) => unknown;

interface Call {
  readonly url: string;
  readonly body: Args & Record<string, unknown>;
}

async function play(extender: Partial<ExtenderConfiguration>, answers: Readonly<Record<string, Answer>>, pods: readonly object[] = [{}]) {
  const calls: Call[] = [];
  const outbound: Outbound = async ({ url, body = '' }) => {
    const call = { url, body: JSON.parse(body) as Call['body'] };
    calls.push(call);
    const answer = answers[url.split('/').at(-1) ?? ''];
    if (!answer) throw new OutboundError('dial tcp 10.0.0.9:80: connect: connection refused');
    return { status: 200, headers: {}, body: JSON.stringify(answer(call.body)) };
  };
  const extenders = [{ urlPrefix: 'http://extender/v1/', weight: 1, nodeCacheCapable: true, ...extender }];
  const nodes = ['n1', 'n2', 'n3'].map((name) => ({ name, cpu: '4' }));
  const cluster = await createCluster({
    nodes,
    outbound,
    components: ['kube-controller-manager', 'kube-scheduler', 'kubelet'],
    schedulerConfig: { extenders },
  });
  for (const [index, spec] of pods.entries()) {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${index}` },
      spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
    };
    const { stderr } = await cluster.kubectl(['apply', '-f', 'pod.json'], { 'pod.json': JSON.stringify(pod) });
    expect(stderr).toEqual([]);
    // An extender that fails is asked again and again: that never settles.
    await cluster.advance(9_000);
  }
  const all = objectsAt(cluster).filter((object): object is Pod => object.kind === 'Pod');
  const conditionOf = (pod: Pod | undefined) => pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const last = all.find(({ metadata }) => metadata.name === `p${pods.length - 1}`);
  return { calls, pods: all, node: last?.spec?.nodeName, nominated: last?.status?.nominatedNodeName, condition: conditionOf(last) };
}

it('refuses nodes, with its words', async () => {
  const refuse: Answer = ({ NodeNames }) => ({
    NodeNames: [],
    FailedNodes: Object.fromEntries((NodeNames ?? []).map((name) => [name, 'too hot'])),
  });
  const { calls, condition } = await play({ filterVerb: 'filter' }, { filter: refuse });
  expect(condition?.message).toMatch(/^0\/3 nodes are available: 3 too hot\. /);
  expect(calls[0]?.url).toBe('http://extender/v1/filter');
  expect(calls[0]?.body).toMatchObject({
    Pod: { metadata: { name: 'p0' } },
    Nodes: null,
    NodeNames: expect.arrayContaining(['n1', 'n2', 'n3']),
  });
});

it('gets whole nodes unless it knows them', async () => {
  const keepLast: Answer = ({ Nodes }) => ({ nodes: { items: Nodes?.items.filter(({ metadata }) => metadata.name === 'n3') } });
  const { node, calls } = await play({ filterVerb: 'filter', nodeCacheCapable: false }, { filter: keepLast });
  expect([node, calls[0]?.body.NodeNames]).toEqual(['n3', null]);
});

it('weighs nodes', async () => {
  const { node } = await play({ prioritizeVerb: 'prioritize', weight: 5 }, { prioritize: () => [{ Host: 'n2', Score: 10 }] });
  expect(node).toBe('n2');
});

it('stops pods when it does not answer, unless it may be ignored', async () => {
  const { condition } = await play({ filterVerb: 'filter' }, {});
  expect(condition).toMatchObject({
    reason: 'SchedulerError',
    message: 'Post "http://extender/v1/filter": dial tcp 10.0.0.9:80: connect: connection refused',
  });
  expect((await play({ filterVerb: 'filter', ignorable: true }, {})).node).toBeDefined();
});

it('is asked about pods with its resources only, and accounts for them', async () => {
  const managedResources = [{ name: 'example.com/gpu', ignoredByScheduler: true }];
  const container = { name: 'c', image: 'nginx', resources: { limits: { 'example.com/gpu': '1' } } };
  const answers = { filter: (() => ({ NodeNames: ['n2'] })) satisfies Answer };
  const { calls, node } = await play({ filterVerb: 'filter', managedResources }, answers, [{}, { containers: [container] }]);
  expect([calls.length, node]).toEqual([1, 'n2']);
});

it('binds', async () => {
  const { calls, node } = await play({ bindVerb: 'bind' }, { bind: () => ({ Error: 'not today' }) });
  expect(calls[0]?.body).toMatchObject({ PodName: 'p0', PodNamespace: 'default', Node: expect.stringMatching(/^n\d$/) });
  expect(node).toBe(undefined);
});

it('has a say in preemption', async () => {
  const full = { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '3' } } }] };
  const vip = { ...full, priorityClassName: 'system-node-critical' };
  const choose: Answer = ({ NodeNameToMetaVictims }) => ({
    NodeNameToMetaVictims: { n2: (NodeNameToMetaVictims as Record<string, unknown>)['n2'] },
  });
  const { calls, pods } = await play({ preemptVerb: 'preempt' }, { preempt: choose }, [full, full, full, vip]);
  expect(Object.keys(calls[0]?.body['NodeNameToMetaVictims'] as object).sort()).toEqual(['n1', 'n2', 'n3']);
  expect(pods.find(({ metadata }) => metadata.name === 'p3')?.spec?.nodeName).toBe('n2');
});
