import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import type { KubernetesObject } from '../../src/api/object.ts';

/** By `<Kind>.<apiVersion>`, then by name. */
type Observed = Readonly<Record<string, Readonly<Record<string, KubernetesObject>>>>;

interface Site extends KubernetesObject {
  spec: { image: string; replicas?: number };
}

type WithReadiness = KubernetesObject & { readonly status?: { readonly readyReplicas?: number } };
type StatefulSet = KubernetesObject & { readonly spec: { readonly replicas?: number } };

const SITE_PORT = 80;
/** On a StatefulSet that wants a Service for each of its Pods: the label by which these are told apart. */
const LABEL = 'service-per-pod-label';
const PORT = 'service-per-pod-ports';

/** The sync hook of a CompositeController: a Site is a Deployment and a Service, and as ready as that Deployment. */
export function syncSite(call: HttpCall): HttpAnswer {
  return answer<{ parent: Site; children: Observed }>(call, ({ parent, children }) => {
    const { name = '' } = parent.metadata;
    const { image, replicas = 1 } = parent.spec;
    const labels = { site: name };
    const deployment = children['Deployment.apps/v1']?.[name] as WithReadiness | undefined;
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } };
    return {
      status: { ready: deployment?.status?.readyReplicas ?? 0 },
      children: [
        {
          ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, labels } },
          spec: { replicas, selector: { matchLabels: labels }, template },
        },
        { apiVersion: 'v1', kind: 'Service', metadata: { name, labels }, spec: { selector: labels, ports: [{ port: SITE_PORT }] } },
      ],
    };
  });
}

/** The sync hook of a DecoratorController, as Metacontroller's documentation has it: a Service for each Pod of a StatefulSet that asks for it. */
export function syncServicePerPod(call: HttpCall): HttpAnswer {
  return answer<{ object: StatefulSet }>(call, ({ object: { metadata, spec } }) => {
    const { [LABEL]: label = '', [PORT]: ports = '80' } = metadata.annotations ?? {};
    const attachments = Array.from({ length: spec.replicas ?? 1 }, (_, index) => {
      const name = `${metadata.name}-${index}`;
      const list = ports.split(',').map((port) => ({ name: `port-${port}`, port: Number(port) }));
      return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector: { [label]: name }, ports: list } };
    });
    return { attachments };
  });
}

/** The finalize hook that belongs to it: nothing is to stay. */
export function finalizeServicePerPod(call: HttpCall): HttpAnswer {
  return answer<{ attachments: Observed }>(call, ({ attachments }) => {
    const finalized = Object.values(attachments).every((each) => Object.keys(each).length === 0);
    return { attachments: [], finalized };
  });
}

function answer<T>({ body = '' }: HttpCall, respond: (request: T) => object): HttpAnswer {
  return { status: 200, body: JSON.stringify(respond(JSON.parse(body) as T)) };
}
