import type { EndpointPort } from '../../../../src/api/kinds/discovery-v1.ts';
import { md5 } from './md5.ts';

/**
 * Names a list of ports, so that endpoints with equal ports share slices; sorts the list by the digests of its ports, as its slices will show it.
 * endpointslice util/controller_utils.go NewPortMapKey
 */
export function newPortMapKey(ports: EndpointPort[]): string {
  if (ports.length === 0) return '';
  if (ports.length === 1) return dump(ports[0] as EndpointPort);
  const digests = new Map(ports.map((port) => [port, md5(dump(port))]));
  ports.sort((a, b) => ((digests.get(a) ?? '') < (digests.get(b) ?? '') ? -1 : 1));
  return ports.map(dump).join(' ');
}

/** The text of a port that upstream hashes. */
function dump({ name, protocol, port, appProtocol }: EndpointPort): string {
  const shown = (type: string, value: unknown): string => (value === undefined ? '<nil>' : `(*${type})${value}`);
  return `(v1.EndpointPort){Name:${shown('string', name)} Protocol:${shown('v1.Protocol', protocol)} Port:${shown('int32', port)} AppProtocol:${shown('string', appProtocol)}}`;
}
