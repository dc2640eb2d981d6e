import type { ContainerPort, PodSpec } from '../../../../src/api/kinds/core-v1.ts';

interface Placed {
  readonly port: ContainerPort;
  readonly path: string;
  readonly container: number;
}

/** kubernetes pkg/api/pod warningsForOverlappingVirtualPorts and the check of names of ports across containers. */
export function portWarnings(warnings: string[], path: string, spec: PodSpec): void {
  const seen: Placed[] = [];
  for (const [container, { ports }] of spec.containers.entries()) {
    for (const [index, port] of (ports ?? []).entries()) {
      const placed: Placed = { port, container, path: `${path}.containers[${container}].ports[${index}]` };
      for (const other of seen) compare(warnings, placed, other);
      seen.push(placed);
    }
  }
}

function compare(warnings: string[], { port, path, container }: Placed, other: Placed): void {
  if (container !== other.container) {
    if (port.name && port.name === other.port.name) {
      warnings.push(
        `${path}: duplicate port name ${JSON.stringify(port.name)} with ${other.path}, services and probes that select ports by name will use ${other.path}`,
      );
    }
    return;
  }
  if (port.containerPort !== other.port.containerPort || port.protocol !== other.port.protocol) return;
  const [a, b] = [port, other.port].map(({ hostIP, hostPort }) => ({ hostIP: hostIP ?? '', hostPort: hostPort ?? 0 }));
  if (!a || !b) return;
  if (a.hostIP === b.hostIP && a.hostPort === b.hostPort) warnings.push(`${path}: duplicate port definition with ${other.path}`);
  else if (a.hostPort === 0 || b.hostPort === 0) warnings.push(`${path}: overlapping port definition with ${other.path}`);
}
