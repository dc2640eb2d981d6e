import type { Load } from '../cluster/load.ts';
import type { DocumentReader } from './document-reader.ts';

/** Reads a load: `{ service: frontend, requestsPerSecond: 200 }`, `{ service: ingress/shop, host: shop.example.com, … }`. @throws DocumentError */
export function readLoad(reader: DocumentReader): Load {
  reader.onlyFields(['service', 'namespace', 'port', 'requestsPerSecond', 'node', 'host']);
  const rate = reader.field('requestsPerSecond');
  if (!rate.exists || rate.number() < 0) rate.fail('expected how many requests come each second: a number, 0 or more');
  const texts = (['namespace', 'node', 'host'] as const).filter((name) => reader.field(name).exists);
  return {
    service: reader.field('service').string(),
    ...Object.fromEntries(texts.map((name) => [name, reader.field(name).string()])),
    ...(reader.field('port').exists ? { port: reader.field('port').number() } : {}),
    requestsPerSecond: rate.number(),
  };
}
