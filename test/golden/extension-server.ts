// The extension API server of recorded cases: it serves any group with one namespaced resource, echoes, and tells every request back.
import { type OutboundAnswer, OutboundError, type OutboundRequest } from '../../src/api/outbound.ts';

type Json = Record<string, unknown>;

const PORT = '19445';
const VERBS = ['create', 'delete', 'get', 'list', 'update', 'watch'];

/** The answer to a request to it; undefined for other addresses. `authority`: the CA bundle that covers its certificate. */
export function answerExtensionServer(request: OutboundRequest, authority: string | undefined): OutboundAnswer | undefined {
  const { port } = new URL(request.url);
  if (port !== PORT) return undefined;
  if (!request.insecure && request.caBundle !== authority)
    throw new OutboundError('tls: failed to verify certificate: x509: certificate signed by unknown authority');
  const { status, body } = answer(request);
  if (typeof body === 'string') return { status, headers: { 'content-type': 'text/plain' }, body };
  const text = Array.isArray(body) ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json' }, body: text };
}

function answer({ method, url, headers, body }: OutboundRequest): { status: number; body: Json | readonly Json[] | string } {
  const { pathname, searchParams } = new URL(url);
  const [, apis, group, version, namespaces, namespace, resource, name, subresource] = pathname.split('/');
  const groupVersion = `${group}/${version}`;
  if (apis !== 'apis' || !group) return { status: 404, body: 'no such path' };
  if (!version) return { status: 200, body: { kind: 'APIGroup', apiVersion: 'v1', name: group, versions: [], preferredVersion: { groupVersion: '', version: '' } } };
  if (!namespaces) {
    const echoes = { name: 'echoes', singularName: 'echo', namespaced: true, kind: 'Echo', verbs: VERBS, shortNames: ['ec'] };
    return { status: 200, body: { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [echoes] } };
  }
  if (resource !== 'echoes') {
    const message = 'the extension server does not know that';
    return { status: 404, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404, message } };
  }
  if (name === 'text') return { status: 200, body: 'just text' };
  if (name === 'broken') return { status: 500, body: 'the extension server is broken' };
  const request = {
    method,
    path: pathname,
    query: Object.fromEntries([...searchParams].sort()),
    ...userIn(headers),
    ...(body ? { body: JSON.parse(body) as unknown } : {}),
    ...(subresource ? { subresource } : {}),
  };
  const echo = { apiVersion: groupVersion, kind: 'Echo', metadata: { name: name ?? 'all', namespace }, request };
  if (searchParams.get('watch')) return { status: 200, body: ['ADDED', 'MODIFIED'].map((type) => ({ type, object: echo })) };
  if (!name && method === 'GET') return { status: 200, body: { apiVersion: groupVersion, kind: 'EchoList', metadata: { resourceVersion: '1' }, items: [echo] } };
  return { status: method === 'POST' ? 201 : 200, body: echo };
}

function userIn(headers: OutboundRequest['headers']): Json {
  const list = (value: string | readonly string[]): string[] => [value].flat().flatMap((one) => one.split(',')).map((one) => one.trim()).sort();
  const prefix = 'x-remote-extra-';
  const groups = headers['x-remote-group'];
  const extra = Object.entries(headers).filter(([key]) => key.startsWith(prefix)).sort();
  return {
    user: headers['x-remote-user'],
    ...(groups === undefined ? {} : { groups: list(groups) }),
    extra: Object.fromEntries(extra.map(([key, value]) => [key.slice(prefix.length), list(value)])),
  };
}
