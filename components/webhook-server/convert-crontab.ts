import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import type { KubernetesObject } from '../../src/api/object.ts';

/** `v1beta1` has one field, `v1` two. */
interface CronTab extends KubernetesObject {
  readonly spec?: { readonly hostPort?: string; readonly host?: string; readonly port?: string };
}

interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly CronTab[] };
}

/** Answers a ConversionReview about CronTabs. Everything but what differs between the versions, metadata above all, must come back as it was. */
export function convertCronTabs({ body = '' }: HttpCall): HttpAnswer {
  const { apiVersion, kind, request } = JSON.parse(body) as ConversionReview;
  const { uid, desiredAPIVersion, objects } = request;
  const version = desiredAPIVersion.split('/')[1] ?? '';
  const unknown = version !== 'v1' && version !== 'v1beta1';
  const response = unknown
    ? { uid, convertedObjects: [], result: { status: 'Failed', message: `CronTabs have no version ${JSON.stringify(version)}` } }
    : { uid, convertedObjects: objects.map((object) => convert(object, desiredAPIVersion)), result: { status: 'Success' } };
  return { status: 200, body: JSON.stringify({ apiVersion, kind, response }) };
}

function convert(object: CronTab, desiredAPIVersion: string): CronTab {
  const { hostPort, host, port, ...others } = object.spec ?? {};
  const [splitHost = '', splitPort = ''] = (hostPort ?? '').split(':');
  const joined = { hostPort: hostPort ?? `${host ?? ''}:${port ?? ''}` };
  const split = { host: host ?? splitHost, port: port ?? splitPort };
  return { ...object, apiVersion: desiredAPIVersion, spec: { ...others, ...(desiredAPIVersion.endsWith('/v1') ? split : joined) } };
}
