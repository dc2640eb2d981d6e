import { expect, it } from 'vitest';
import { readDocument } from './document-reader.ts';
import { readRequest } from './read-request.ts';

const read = (text: string) => readRequest(readDocument(text, 'request.yaml'));

it('reads whom a request goes to, and where it comes from', () => {
  expect(read('{ to: service/web }')).toEqual({ host: 'service/web', port: 80, path: '/', namespace: 'default' });
  expect(read('{ to: ingress/shop, port: 8080, path: /cart, host: shop.example.com, namespace: team }')).toEqual({
    ...{ host: 'ingress/shop', port: 8080, path: '/cart', namespace: 'team' },
    hostHeader: 'shop.example.com',
  });
  expect(read('{ to: web, from: n1 }')).toMatchObject({ host: 'web', node: 'n1' });
  expect(() => read('{ from: n1 }')).toThrow('to');
  expect(() => read('{ to: web, method: POST }')).toThrow('method');
});
