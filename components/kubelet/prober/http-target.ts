import type { Container, HTTPGetAction } from '../../../src/api/kinds/core-v1.ts';

/** pkg/probe ResolveContainerPort: a number, or the name of one of the container's ports. A name that it has not is taken for a number that is misspelt. */
export function resolvePort(port: number | string | undefined, container: Container): number | { readonly error: string } {
  if (typeof port === 'number') return port;
  const named = (container.ports ?? []).find(({ name }) => name !== undefined && name === port)?.containerPort;
  if (named !== undefined) return named;
  return port && /^\d+$/.test(port) ? Number(port) : { error: `strconv.Atoi: parsing ${JSON.stringify(port ?? '')}: invalid syntax` };
}

/** The address as messages show it. */
export function httpUrl(scheme: string | undefined, { host, port, path }: { host: string; port: number; path: string }): string {
  return `${(scheme ?? 'HTTP').toLowerCase()}://${host}:${port}${path.startsWith('/') ? path : `/${path}`}`;
}

/** pkg/probe/http, headers of a request: those that are asked for take the place of the kubelet's own. */
export function httpHeaders(userAgent: string, { httpHeaders: asked = [] }: HTTPGetAction): Record<string, string> {
  return Object.fromEntries([['User-Agent', userAgent], ['Accept', '*/*'], ...asked.map(({ name, value }) => [name, value] as const)]);
}
