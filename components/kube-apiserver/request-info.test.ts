import { expect, test } from 'vitest';
import { requestInfoOf } from './request-info.ts';

const show = (method: string, path: string, query: Record<string, string> = {}): string => {
  const { isResourceRequest, verb, group, version, namespace, resource, name, subresource } = requestInfoOf(method, path, query);
  return isResourceRequest ? `${verb} ${group}/${version} ns=${namespace} ${resource}/${name}/${subresource}` : `${verb} ${path}`;
};

test.each([
  ['GET', '/api/v1/namespaces/a/pods', 'list /v1 ns=a pods//'],
  ['GET', '/api/v1/namespaces/a/pods/p/log', 'get /v1 ns=a pods/p/log'],
  ['GET', '/api/v1/namespaces/a', 'get /v1 ns=a namespaces/a/'],
  ['PUT', '/api/v1/namespaces/a/finalize', 'update /v1 ns=a namespaces/a/finalize'],
  ['GET', '/api/v1/pods', 'list /v1 ns= pods//'],
  ['POST', '/apis/apps/v1/namespaces/a/deployments', 'create apps/v1 ns=a deployments//'],
  ['DELETE', '/apis/apps/v1/namespaces/a/deployments', 'deletecollection apps/v1 ns=a deployments//'],
  ['GET', '/api/v1/watch/namespaces/a/pods', 'watch /v1 ns=a pods//'],
  ['GET', '/api/v1/nodes/n/proxy/metrics', 'get /v1 ns= nodes/n/proxy'],
  ['GET', '/api', 'get /api'],
  ['GET', '/apis/apps/v1', 'get /apis/apps/v1'],
])('%s %s', (method, path, expected) => {
  expect(show(method, path)).toBe(expected);
});

test('the query turns a list into a watch, and a name selector names the object', () => {
  expect(show('GET', '/api/v1/pods', { watch: '1' })).toBe('watch /v1 ns= pods//');
  expect(show('GET', '/api/v1/pods', { watch: 'false' })).toBe('list /v1 ns= pods//');
  expect(show('GET', '/api/v1/namespaces/a/pods', { fieldSelector: 'metadata.name=p' })).toBe('list /v1 ns=a pods/p/');
});
