import type { Visit } from '../cluster/service-network.ts';
import type { DocumentReader } from './document-reader.ts';

/**
 * Reads a request: `{ to: service/web }` comes from outside, to the load balancer of a Service (or `ingress/shop`, or a name or an address); `{ to: web, from: n1 }` from
 * a node. @throws DocumentError
 */
export function readRequest(reader: DocumentReader): Visit {
  reader.onlyFields(['to', 'port', 'path', 'host', 'from', 'namespace']);
  const text = (name: string): string | undefined => (reader.field(name).exists ? reader.field(name).string() : undefined);
  const [hostHeader, node] = [text('host'), text('from')];
  return {
    host: reader.field('to').string(),
    port: reader.field('port').exists ? reader.field('port').number() : 80,
    path: text('path') ?? '/',
    namespace: text('namespace') ?? 'default',
    ...(hostHeader === undefined ? {} : { hostHeader }),
    ...(node === undefined ? {} : { node }),
  };
}
