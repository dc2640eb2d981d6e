import type { Pod, Service, ServicePort } from '../../../src/api/kinds/core-v1.ts';
import type { EndpointPort } from '../../../src/api/kinds/discovery-v1.ts';

/**
 * The ports at which a pod serves the ports of a Service; a named target port that the pod does not have is left out.
 * endpointslice utils.go getEndpointPorts
 */
export function getEndpointPorts(service: Service, pod: Pod): EndpointPort[] {
  const ports: EndpointPort[] = [];
  for (const port of service.spec?.ports ?? []) {
    const number = findPort(pod, port);
    if (number === undefined) continue;
    ports.push({
      name: port.name ?? '',
      protocol: port.protocol ?? 'TCP',
      port: number,
      ...(port.appProtocol === undefined ? {} : { appProtocol: port.appProtocol }),
    });
  }
  return ports;
}

/** The number that a target port is in a pod: pkg/api/v1/pod FindPort. */
export function findPort(pod: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (targetPort === undefined || targetPort === 0 || targetPort === '') return port;
  if (typeof targetPort === 'number') return targetPort;
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const container of [...(pod.spec?.containers ?? []), ...sidecars]) {
    const match = container.ports?.find((candidate) => candidate.name === targetPort && (candidate.protocol ?? 'TCP') === protocol);
    if (match) return match.containerPort;
  }
  return undefined;
}
