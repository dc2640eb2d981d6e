import { expect, test } from 'vitest';
import { parseVisit } from './parse-visit.ts';

test.each([
  ['web', { host: 'web', port: 80, path: '/' }],
  ['service/web', { host: 'service/web', port: 80, path: '/' }],
  ['svc/web:8080', { host: 'service/web', port: 8080, path: '/' }],
  ['ing/shop/cart', { host: 'ingress/shop', port: 80, path: '/cart' }],
  ['http://203.0.113.1:81/a/b', { host: '203.0.113.1', port: 81, path: '/a/b' }],
  ['', undefined],
  ['web 80', undefined],
  ['web:', undefined],
])('%j', (text, visit) => {
  expect(parseVisit(text)).toEqual(visit);
});
