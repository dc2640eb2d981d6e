import type { Container } from '../../../src/api/kinds/core-v1.ts';

/** pkg/probe ResolveContainerPort: a number, or the name of one of the container's ports. */
export function resolvePort(port: number | string | undefined, container: Container): number | undefined {
  if (typeof port === 'number') return port;
  if (port === undefined) return undefined;
  const named = (container.ports ?? []).find(({ name }) => name === port)?.containerPort;
  return named ?? (/^\d+$/.test(port) ? Number(port) : undefined);
}

/** The address as messages show it. */
export function httpUrl(scheme: string | undefined, { host, port, path }: { host: string; port: number; path: string }): string {
  return `${(scheme ?? 'HTTP').toLowerCase()}://${host}:${port}${path.startsWith('/') ? path : `/${path}`}`;
}
