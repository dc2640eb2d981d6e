import { OutboundError } from '../../src/api/outbound.ts';
import { endpointslices, services } from '../../src/api/resources.ts';
import type { ServerCore } from './server-core.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port?: number;
}

/** Where requests for a Service go. */
export interface ResolvedAddress {
  readonly ip: string;
  readonly port: number;
  /** A name outside the cluster. */
  readonly outside: boolean;
}

const HTTPS_PORT = 443;

/**
 * kube-aggregator pkg/apiserver.NewClusterIPServiceResolver: a Service is reached by its cluster IP; with aggregator routing by one of its endpoints,
 * NewEndpointServiceResolver.
 * @throws OutboundError
 */
export function resolveEndpoint(server: ServerCore, { namespace, name, port = HTTPS_PORT }: ServiceReference): ResolvedAddress {
  const spec = server.storage(services).get(namespace, name)?.spec;
  if (!spec) throw new OutboundError(`service ${JSON.stringify(name)} not found`);
  if (spec.type === 'ExternalName') return { ip: spec.externalName ?? '', port, outside: true };
  const found = spec.ports?.find((candidate) => candidate.port === port);
  if (!found) throw new OutboundError(`no service port ${port} found for service ${JSON.stringify(name)}`);
  if (server.config.enableAggregatorRouting) return oneOf(server, { namespace, name, portName: found.name ?? '' });
  if (!spec.clusterIP || spec.clusterIP === 'None') throw new OutboundError(`unsupported service type "${spec.type ?? ''}"`);
  return { ip: spec.clusterIP, port, outside: false };
}

/** apiserver pkg/util/proxy ResolveEndpoint */
function oneOf(server: ServerCore, { namespace, name, portName }: { namespace: string; name: string; portName: string }): ResolvedAddress {
  const slices = server
    .storage(endpointslices)
    .list(namespace)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
  const addresses = slices.flatMap(({ endpoints, ports }) => {
    const port = ports?.find((candidate) => (candidate.name ?? '') === portName)?.port;
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    return port === undefined ? [] : ready.flatMap(({ addresses: [ip] }) => (ip ? [{ ip, port, outside: false }] : []));
  });
  const address = server.random.pick(addresses);
  if (!address) throw new OutboundError(`no endpoints available for service ${JSON.stringify(name)}`);
  return address;
}
