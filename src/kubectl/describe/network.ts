import type { Service } from '../../api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../api/kinds/discovery-v1.ts';
import type { Ingress } from '../../api/kinds/networking-v1.ts';
import { endpointslices, services } from '../../api/resources.ts';
import { isNotFound } from '../../api/status-error.ts';
import type { CommandContext } from '../command.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { describeEvents } from './events.ts';

const SHOWN_ENDPOINTS = 3;

async function slicesOf(context: CommandContext, namespace: string | undefined, name: string | undefined): Promise<EndpointSlice[]> {
  return (await context.client.resource(endpointslices).list({ namespace, labelSelector: `kubernetes.io/service-name=${name}` })).items;
}

/** The ready ones, three at most: kubectl pkg/describe formatEndpointSlices */
function endpointsText(slices: readonly EndpointSlice[], port: string | undefined): string {
  if (!slices.length) return '<none>';
  const found = slices.flatMap(({ endpoints, ports }) =>
    (ports ?? [])
      .filter((each) => port === undefined || (each.name ?? '') === port)
      .flatMap(({ port: number }) =>
        (endpoints ?? [])
          .filter(({ conditions }) => conditions?.ready !== false)
          .flatMap(({ addresses }) => addresses.map((address) => `${address}:${number}`)),
      ),
  );
  const shown = found.slice(0, SHOWN_ENDPOINTS).join(',');
  return found.length > SHOWN_ENDPOINTS ? `${shown} + ${found.length - SHOWN_ENDPOINTS} more...` : shown;
}

/** kubectl pkg/describe ServiceDescriber */
export async function describeService(context: CommandContext, writer: DescribeWriter, service: Service): Promise<void> {
  const { metadata, spec, status } = service;
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Namespace', metadata.namespace);
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  const selector = Object.entries(spec?.selector ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  writer.field(0, 'Selector', selector.map(([key, value]) => `${key}=${value}`).join(',') || '<none>');
  writer.field(0, 'Type', spec?.type);
  if (spec?.ipFamilyPolicy) writer.field(0, 'IP Family Policy', spec.ipFamilyPolicy);
  writer.field(0, 'IP Families', spec?.ipFamilies?.join(',') || '<none>');
  writer.field(0, 'IP', spec?.clusterIP);
  writer.field(0, 'IPs', spec?.clusterIPs?.join(',') || '<none>');
  if (spec?.externalIPs?.length) writer.field(0, 'External IPs', spec.externalIPs.join(','));
  if (spec?.externalName) writer.field(0, 'External Name', spec.externalName);
  if (spec?.loadBalancerIP) writer.field(0, 'Desired LoadBalancer IP', spec.loadBalancerIP);
  const ingress = (status?.loadBalancer?.ingress ?? []).map(
    ({ ip, hostname, ipMode }) => `${ip ?? hostname ?? ''}${ipMode ? ` (${ipMode})` : ''}`,
  );
  if (ingress.length) writer.field(0, 'LoadBalancer Ingress', ingress.join(', '));
  const slices = await slicesOf(context, metadata.namespace, metadata.name);
  for (const { name = '', port, protocol = 'TCP', targetPort, nodePort } of spec?.ports ?? []) {
    writer.field(0, 'Port', `${name || '<unset>'}\t${port}/${protocol}`);
    writer.field(0, 'TargetPort', `${targetPort}/${protocol}`);
    if (nodePort) writer.field(0, 'NodePort', `${name || '<unset>'}\t${nodePort}/${protocol}`);
    writer.field(0, 'Endpoints', endpointsText(slices, name));
  }
  writer.field(0, 'Session Affinity', spec?.sessionAffinity);
  if (spec?.externalTrafficPolicy) writer.field(0, 'External Traffic Policy', spec.externalTrafficPolicy);
  if (spec?.internalTrafficPolicy) writer.field(0, 'Internal Traffic Policy', spec.internalTrafficPolicy);
  if (spec?.trafficDistribution) writer.field(0, 'Traffic Distribution', spec.trafficDistribution);
  if (spec?.healthCheckNodePort) writer.field(0, 'HealthCheck NodePort', spec.healthCheckNodePort);
  if (spec?.loadBalancerSourceRanges?.length) writer.field(0, 'LoadBalancer Source Ranges', spec.loadBalancerSourceRanges.join(','));
  await describeEvents(context, writer, service);
}

/** kubectl pkg/describe EndpointSliceDescriber */
export async function describeEndpointSlice(context: CommandContext, writer: DescribeWriter, slice: EndpointSlice): Promise<void> {
  const { metadata, endpoints, ports } = slice;
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Namespace', metadata.namespace);
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.field(0, 'AddressType', slice.addressType);
  if (!ports?.length) writer.field(0, 'Ports', '<unset>');
  else {
    writer.line(0, 'Ports:\n  Name\tPort\tProtocol\n  ----\t----\t--------');
    for (const { name, port, protocol } of ports) writer.line(1, `${name || '<unset>'}\t${port ?? '<unset>'}\t${protocol ?? 'TCP'}`);
  }
  if (!endpoints?.length) writer.field(0, 'Endpoints', '<none>');
  else {
    writer.line(0, 'Endpoints:');
    for (const { addresses, conditions, hostname, targetRef, nodeName, zone } of endpoints) {
      writer.line(1, `- Addresses:\t${addresses.join(', ')}`);
      writer.line(2, 'Conditions:');
      writer.line(3, `Ready:\t${conditions?.ready ?? '<unset>'}`);
      writer.line(2, `Hostname:\t${hostname || '<unset>'}`);
      if (targetRef) writer.line(2, `TargetRef:\t${targetRef.kind}/${targetRef.name}`);
      writer.line(2, `NodeName:\t${nodeName ?? '<unset>'}`);
      writer.line(2, `Zone:\t${zone ?? '<unset>'}`);
    }
  }
  await describeEvents(context, writer, slice);
}

/** kubectl pkg/describe IngressDescriber */
export async function describeIngress(context: CommandContext, writer: DescribeWriter, ingress: Ingress): Promise<void> {
  const { metadata, spec, status } = ingress;
  const backend = (service: BackendService | undefined): Promise<string> => backendText(context, metadata.namespace, service);
  writer.field(0, 'Name', metadata.name);
  writer.map(0, 'Labels', metadata.labels);
  writer.field(0, 'Namespace', metadata.namespace);
  writer.field(0, 'Address', (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? '').join(','));
  writer.field(0, 'Ingress Class', spec?.ingressClassName ?? '<none>');
  const byDefault = spec?.defaultBackend?.service;
  writer.field(0, 'Default backend', byDefault ? await backend(byDefault) : '<default>');
  if (spec?.tls?.length) {
    writer.line(0, 'TLS:');
    for (const { secretName, hosts } of spec.tls)
      writer.line(1, secretName ? `${secretName} terminates ${(hosts ?? []).join(',')}` : `SNI routes ${(hosts ?? []).join(',')}`);
  }
  writer.line(0, 'Rules:\n  Host\tPath\tBackends\n  ----\t----\t--------');
  for (const { host, http } of spec?.rules ?? []) {
    if (!http) continue;
    writer.line(1, `${host || '*'}\t`);
    for (const {
      path,
      backend: { service },
    } of http.paths)
      writer.line(1, `  \t${path ?? ''} \t${await backend(service)}`);
  }
  if (!spec?.rules?.length) writer.line(1, `*\t*\t${byDefault ? await backend(byDefault) : '<default>'}`);
  writer.annotations(0, 'Annotations', metadata.annotations);
  await describeEvents(context, writer, ingress);
}

type BackendService = NonNullable<NonNullable<NonNullable<Ingress['spec']>['defaultBackend']>['service']>;

async function backendText(context: CommandContext, namespace: string | undefined, service: BackendService | undefined): Promise<string> {
  if (!service) return '';
  const port = service.port?.name ?? service.port?.number;
  try {
    const { spec } = await context.client.resource(services).get({ namespace, name: service.name });
    const named = spec?.ports?.find((each) => each.name === service.port?.name || each.port === service.port?.number);
    return `${service.name}:${port} (${endpointsText(await slicesOf(context, namespace, service.name), named?.name ?? '')})`.replace(
      '(<none>)',
      '()',
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return `${service.name}:${port} (<error: services "${service.name}" not found>)`;
  }
}
