import { describe, expect, it } from 'vitest';
import { type ClientTest, clientTest } from '../../test/support/stand-in-apiserver.ts';
import type { ConfigMap } from '../api/kinds/core-v1.ts';
import { configmaps, leases } from '../api/resources.ts';
import { newForbidden } from '../api/status-error.ts';
import type { Client } from '../client/client.ts';

const map: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };

/** What a call comes to: `ok`, or the error's message. */
async function outcome(test: ClientTest, body: (client: Client) => Promise<unknown>): Promise<string> {
  let result = 'pending';
  test.actor.schedule(0, async () => {
    result = await body(test.client).then(
      () => 'ok',
      (error: Error) => error.message,
    );
  });
  await test.simulation.settle();
  return result;
}

const create = (client: Client) => client.resource(configmaps).create(map);

describe('a request that goes wrong', () => {
  it('is answered in place of kube-apiserver, once', async () => {
    const test = clientTest();
    const { status, code } = newForbidden(configmaps, 'a', 'no');
    test.network.failNext('tester', ({ info }) =>
      info.verb === 'create' ? { answer: { code, body: status }, carriedOut: false } : undefined,
    );
    expect(await outcome(test, (client) => client.resource(configmaps).list())).toBe('ok');
    expect(await outcome(test, create)).toBe('configmaps "a" is forbidden: no');
    expect(test.api.all('configmaps')).toEqual([]);
    expect(await outcome(test, create)).toBe('ok');
  });

  it('may have been carried out all the same', async () => {
    const test = clientTest();
    test.network.failNext('tester', () => ({ carriedOut: true }));
    expect(await outcome(test, create)).toBe('kube-apiserver: connection reset');
    expect(test.api.all('configmaps').length).toBe(1);
  });
});

describe('watch events', () => {
  async function watching() {
    const test = clientTest();
    const seen: string[] = [];
    const sink = {
      next: ({ object }: { object: object }) => seen.push((object as ConfigMap).metadata.name ?? ''),
      end: () => seen.push('end'),
    };
    expect(await outcome(test, (client) => client.resource(configmaps).watch({}, sink))).toBe('ok');
    expect(await outcome(test, (client) => client.resource(leases).watch({}, sink))).toBe('ok');
    return { ...test, seen };
  }

  it('come in order and keep the simulation unsettled', async () => {
    const { api, simulation, seen } = await watching();
    api.put('configmaps', map);
    api.put('configmaps', { ...map, metadata: { ...map.metadata, name: 'b' } });
    await simulation.settle();
    expect(seen).toEqual(['a', 'b']);
  });

  it('of heartbeats do not, and do not hide others', async () => {
    const { api, simulation, seen } = await watching();
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'lease', namespace: 'default' } };
    api.put('leases', lease);
    await simulation.settle();
    expect(seen).toEqual([]);
    api.put('configmaps', lease);
    api.put('configmaps', map);
    await simulation.settle();
    expect(seen).toContain('a');
  });

  it('come before the end of their stream', async () => {
    const { api, simulation, seen } = await watching();
    api.put('configmaps', map);
    api.endWatches();
    await simulation.settle();
    expect(seen).toEqual(['a', 'end', 'end']);
  });

  it('end when the way is cut', async () => {
    const { simulation, network, seen } = await watching();
    network.cut('tester');
    await simulation.settle();
    expect(seen).toEqual(['end', 'end']);
  });
});
