import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

test('a list comes as a row for each object, with metadata only unless asked for', async () => {
  const api = new TestApiserver({ disableAdmissionPlugins: ['ServiceAccount'] });
  await api.send('POST /api/v1/namespaces/default/pods', { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const { body } = await api.send('GET /api/v1/pods', undefined, TABLE);
  expect(body.columnDefinitions.map(({ name }: { name: string }) => name).slice(0, 5)).toEqual([
    'Name',
    'Ready',
    'Status',
    'Restarts',
    'Age',
  ]);
  expect(body.rows[0].cells).toEqual(['a', '0/1', 'Pending', '0', '0s', '<none>', '<none>', '<none>', '<none>']);
  expect(body.rows[0].object.kind).toBe('PartialObjectMetadata');
  expect((await api.send('GET /api/v1/pods?includeObject=None', undefined, TABLE)).body.rows[0].object).toBeNull();
  expect((await api.send('GET /api/v1/pods?includeObject=All', undefined, TABLE)).code).toBe(400);
});

test('every kind that is there from the start has as many cells as columns', async () => {
  const api = new TestApiserver();
  for (const path of [
    '/api/v1/namespaces',
    '/api/v1/services',
    '/api/v1/endpoints',
    '/api/v1/configmaps',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    '/apis/apiregistration.k8s.io/v1/apiservices',
    '/apis/networking.k8s.io/v1/servicecidrs',
    '/apis/discovery.k8s.io/v1/endpointslices',
  ]) {
    const { body } = await api.send(`GET ${path}`, undefined, TABLE);
    expect(body.rows.length, path).toBeGreaterThan(0);
    for (const { cells } of body.rows) expect(cells.length, path).toBe(body.columnDefinitions.length);
  }
});
