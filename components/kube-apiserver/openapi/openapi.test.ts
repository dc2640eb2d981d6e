import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const api = new TestApiserver();

async function get(
  path: string,
): Promise<{ code: number; body: Record<string, never> & { paths: Record<string, { serverRelativeURL: string }> } }> {
  return api.send(`GET ${path}`);
}

test('the root of v3 leads to the document of each group version', async () => {
  const { body } = await get('/openapi/v3');
  const url = body.paths['apis/apps/v1']?.serverRelativeURL ?? '';
  expect(url).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/);
  const { body: document } = await get(url);
  const { patch } = document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'] as unknown as { patch: unknown };
  expect(patch).toMatchObject({
    operationId: 'patchAppsV1NamespacedDeployment',
    parameters: [{ name: 'dryRun' }, { name: 'fieldManager' }, { name: 'fieldValidation' }, { name: 'force' }],
    'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
  });
  expect(document).toHaveProperty(['components', 'schemas', 'io.k8s.api.core.v1.PodSpec']);
  expect((await get(url.replace(/hash=.*/, 'hash=OLD'))).code).toBe(301);
});

test('v2 says the same in its own form', async () => {
  const { body } = await get('/openapi/v2');
  expect(body).toMatchObject({
    swagger: '2.0',
    definitions: { 'io.k8s.api.core.v1.Pod': { properties: { spec: { $ref: '#/definitions/io.k8s.api.core.v1.PodSpec' } } } },
  });
});

test('a CustomResourceDefinition adds its kind to the documents', async () => {
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
  };
  const spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  };
  await api.send('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: 'widgets.example.com' }, spec });
  await api.simulation.advance(5_000);
  const { body } = await get('/openapi/v3');
  const { body: document } = await get(body.paths['apis/example.com/v1']?.serverRelativeURL ?? '/nothing');
  expect(document).toHaveProperty(['components', 'schemas', 'com.example.v1.Widget', 'properties', 'spec', 'properties', 'size'], {
    type: 'integer',
  });
  expect(document).toHaveProperty(['paths', '/apis/example.com/v1/namespaces/{namespace}/widgets', 'post']);
});
