import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RequestInfo } from '../../../src/api/request.ts';
import { endpointslices, nodes, pods, services } from '../../../src/api/resources.ts';
import type { Client } from '../../../src/client/client.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';
import { runKubeProxy } from '../server.ts';
import { Netfilter, type TableName } from './netfilter.ts';
import { formatRule } from './rule.ts';

interface Step {
  readonly request?: { method: string; path: string; headers?: Record<string, string>; body?: unknown };
  readonly until?: object;
  readonly settle?: true;
  readonly do?: string;
  readonly rules?: Rules;
}

type Rules = Partial<Record<TableName, Record<string, string[]>>>;

const file = new URL('../../../test/golden/cluster/kube-proxy.json', import.meta.url);
const cases = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, { title: string; steps: Step[] }>);

const SHARED: Record<TableName, string[]> = {
  nat: ['KUBE-SERVICES', 'KUBE-NODEPORTS'],
  filter: ['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-EXTERNAL-SERVICES', 'KUBE-PROXY-FIREWALL'],
};

/** Rules of the node in the form of the recordings. Names get their numbers once for a whole case. */
class Recorder {
  readonly #names = new Map<string, string>();
  readonly #netfilter: Netfilter;

  constructor(netfilter: Netfilter) {
    this.#netfilter = netfilter;
  }

  rules(addresses: readonly string[], nodePorts: readonly number[]): Rules {
    const out: Rules = {};
    for (const table of ['nat', 'filter'] as const) {
      const chains = this.#table(table);
      for (const [name, rules] of chains) {
        const short = rules.map((rule) => this.#normalize(rule, addresses, nodePorts));
        out[table] = { ...out[table], [this.#normalize(name, [], [])]: short };
      }
    }
    return out;
  }

  #table(table: TableName): Map<string, string[]> {
    const chains = new Map<string, string[]>();
    const isOurs = (rule: string): boolean => rule.includes('default/web');
    for (const name of SHARED[table]) {
      const rules = (this.#netfilter.chain(table, name) ?? []).map(formatRule).filter(isOurs).sort();
      if (rules.length > 0) chains.set(name, rules);
    }
    for (const rules of chains.values()) {
      for (const target of rules.flatMap((rule) => /-j (KUBE-(?:SVC|SVL|EXT|FW|SEP)-\w+)$/.exec(rule)?.[1] ?? [])) {
        if (!chains.has(target)) chains.set(target, (this.#netfilter.chain(table, target) ?? []).map(formatRule));
      }
    }
    return chains;
  }

  #normalize(text: string, addresses: readonly string[], nodePorts: readonly number[]): string {
    let out = text
      .replaceAll(/\bdefault\/web/g, '{ns}/web')
      .replace(/(?<=KUBE-(?:SVC|SVL|EXT|FW|SEP)-)[A-Z2-7]{16}/g, (hash) => this.#number('hash', hash));
    for (const ip of addresses) if (out.includes(ip)) out = out.replaceAll(ip, this.#number('ip', ip));
    for (const port of nodePorts)
      if (out.includes(`--dport ${port}`)) out = out.replace(`--dport ${port}`, `--dport ${this.#number('nodePort', String(port))}`);
    return out;
  }

  #number(kind: string, value: string): string {
    const known = this.#names.get(value);
    if (known) return known;
    const count = [...this.#names.values()].filter((name) => name.startsWith(`<${kind}:`)).length;
    this.#names.set(value, `<${kind}:${count + 1}>`);
    return `<${kind}:${count + 1}>`;
  }
}

function infoOf(method: string, path: string): RequestInfo {
  const match = /^\/apis?\/(?:([^/]+)\/)?v1\/namespaces\/\{ns\}\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path);
  const [, group = '', resource = '', name = '', subresource = ''] = match ?? [];
  const verb = { POST: 'create', PATCH: 'patch', DELETE: 'delete' }[method] ?? 'get';
  return { isResourceRequest: true, verb, path, group, version: 'v1', resource, subresource, namespace: 'default', name };
}

/** Stands for the kubelet and the scheduler of the recording. */
async function runPods(client: Client): Promise<void> {
  await client.resource(nodes).create({ metadata: { name: 'n1' } });
  for (const [name, ip] of [
    ['a', '10.244.0.5'],
    ['b', '10.244.0.6'],
  ] as const) {
    const at = { namespace: 'default', name };
    await client
      .resource(pods)
      .createSubresource(at, 'binding', { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: 'n1' } });
    const status = {
      phase: 'Running',
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    };
    await client.resource(pods).patch(at, { status }, { type: 'strategic', subresource: 'status' });
  }
}

test.each(cases)('%s', async (name, { steps }) => {
  const plane = new ControlPlane(
    name === 'real-pods' ? ['endpointslice-controller', 'serviceaccount-controller'] : ['serviceaccount-controller'],
  );
  const { simulation } = plane;
  const netfilter = new Netfilter({ now: () => simulation.now });
  const user = { username: 'system:kube-proxy', groups: ['system:authenticated'] };
  simulation
    .actor('kube-proxy/n1', (actor) =>
      runKubeProxy({ actor, client: plane.client(actor, user), config: { nodeName: 'n1', netfilter, clusterCIDR: '10.244.0.0/16' } }),
    )
    .start();
  await simulation.settle();
  const recorder = new Recorder(netfilter);
  const list = (client: Client) => client.resource(services).list({ namespace: 'default', fieldSelector: 'metadata.name=web' });
  for (const step of steps) {
    if (step.request) {
      const { method, path, headers, body } = step.request;
      const response = await plane.act((client) =>
        client.send({
          info: infoOf(method, path),
          query: {},
          headers: { contentType: headers?.['content-type'] ?? 'application/json' },
          body,
        }),
      );
      expect(response.code).toBeLessThan(300);
    }
    if (step.until) await plane.act(runPods);
    if (!step.rules) continue;
    await simulation.advance(2_000);
    const { items } = await plane.act(list);
    const slices =
      name === 'real-pods' ? (await plane.act((client) => client.resource(endpointslices).list({ namespace: 'default' }))).items : [];
    const addresses = [
      items[0]?.spec?.clusterIP ?? '',
      ...slices.flatMap(({ endpoints }) => endpoints.flatMap((endpoint) => endpoint.addresses)),
    ];
    const nodePorts = (items[0]?.spec?.ports ?? []).flatMap(({ nodePort }) => nodePort ?? []);
    expect(recorder.rules(addresses.filter(Boolean), nodePorts), step.do).toEqual(step.rules);
  }
});
