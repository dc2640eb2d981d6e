import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../src/api/request.ts';
import { Simulation } from '../../../src/sim/simulation.ts';
import { Etcd } from '../../etcd/etcd.ts';
import { requestInfoOf } from '../request-info.ts';
import { createKubeApiserver } from '../server.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

async function get(path: string, accept = ''): Promise<ApiResponse> {
  const apiserver = createKubeApiserver({ simulation: new Simulation({ seed: '1' }), etcd: new Etcd(), config: {} });
  const user = { username: 'admin', groups: ['system:masters'] };
  return apiserver.handle({ info: requestInfoOf('GET', path, {}), query: {}, headers: { accept }, user, traced: 0 });
}

const recorded = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../scripts/api-data/${name}.json`, import.meta.url), 'utf8'));

test('aggregated discovery is what a real server says', async () => {
  expect((await get('/api', AGGREGATED)).body).toEqual(recorded('discovery-api'));
  expect((await get('/apis', AGGREGATED)).body).toEqual(recorded('discovery-apis'));
});

test('plain discovery lists groups, versions and resources with their subresources', async () => {
  expect((await get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  expect((await get('/apis/autoscaling')).body).toMatchObject({
    kind: 'APIGroup',
    preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
  });
  const { resources } = (await get('/apis/apps/v1')).body as { resources: { name: string }[] };
  expect(resources.map(({ name }) => name)).toContain('deployments/scale');
  expect((await get('/apis/none')).code).toBe(404);
});
