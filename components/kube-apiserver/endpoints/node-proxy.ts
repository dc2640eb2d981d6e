import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { ApiStatusError, type FieldError, newBadRequest, newInvalid, newNotFound } from '../../../src/api/status-error.ts';
import { forbidden, invalid } from '../../../src/api/validation/field.ts';
import type { RequestContext } from '../request-context.ts';
import { type Steps, wait } from '../steps.ts';
import { isTrue } from './query.ts';

/** GET of pods/log. pkg/registry/core/pod/rest.LogREST.Get */
export function* readLog(context: RequestContext): Steps<ApiResponse> {
  const { query, info } = context.request;
  const pod = podOf(context);
  const errors = logOptionErrors(query);
  if (errors.length > 0) throw newInvalid({ group: '', kind: 'PodLogOptions' }, info.name, errors);
  containerOf(pod, query['container'] ?? '');
  if (!pod.spec?.nodeName) return { code: 204 };
  return yield* viaKubelet(context, pod.spec.nodeName);
}

/** exec, attach and portforward: handed to the kubelet of the pod's node. pkg/registry/core/pod/rest.ExecREST.Connect and its siblings */
export function* connectToPod(context: RequestContext): Steps<ApiResponse> {
  const { query, info } = context.request;
  yield* context.server.admission.connect({ context, operation: 'CONNECT', name: info.name, object: connectOptions(context) });
  const pod = podOf(context);
  if (info.subresource !== 'portforward') containerOf(pod, query['container'] ?? '');
  if (!pod.spec?.nodeName) throw newBadRequest(`pod ${info.name} does not have a host assigned`);
  return yield* viaKubelet(context, pod.spec.nodeName);
}

const OPTIONS: Readonly<Record<string, string>> = {
  exec: 'PodExecOptions',
  attach: 'PodAttachOptions',
  portforward: 'PodPortForwardOptions',
};

/** What a connection asks for, as an object for admission. */
function connectOptions({ request, subresource }: RequestContext): KubernetesObject {
  const { stdin, stdout, stderr, tty, container, command, ports } = request.query;
  const flags = Object.entries({ stdin, stdout, stderr, tty }).filter(([, value]) => isTrue(value));
  const options = {
    apiVersion: 'v1',
    kind: OPTIONS[subresource] ?? '',
    ...Object.fromEntries(flags.map(([name]) => [name, true])),
    ...(container ? { container } : {}),
    ...(command ? { command: [command] } : {}),
    ...(ports ? { ports: ports.split(',').map(Number) } : {}),
  };
  // Options have no metadata.
  return options as unknown as KubernetesObject;
}

/** Hands a request to the kubelet of a node. */
export function* viaKubelet({ server, request }: Pick<RequestContext, 'server' | 'request'>, node: string): Steps<ApiResponse> {
  const { nodeProxy } = server.config;
  if (!nodeProxy) throw unreachable(node);
  return yield* wait(nodeProxy(node, request));
}

function unreachable(node: string): ApiStatusError {
  const message = `Internal error occurred: error dialing backend: dial tcp: lookup ${node}: no such host`;
  return new ApiStatusError({
    message,
    reason: 'InternalError',
    details: { causes: [{ message: message.slice('Internal error occurred: '.length) }] },
    code: 500,
  });
}

function podOf(context: RequestContext): Pod {
  const { name } = context.request.info;
  const pod = context.storage.get(context.namespace, name);
  if (!pod) throw newNotFound(context.resource, name);
  return pod as Pod;
}

/** The container a request is about. pkg/registry/core/pod.podHasContainerWithName and its messages */
function containerOf({ metadata, spec }: Pod, wanted: string): string {
  const names = (list: readonly { readonly name: string }[] | undefined): string[] => (list ?? []).map(({ name }) => name);
  const containers = names(spec?.containers);
  const initContainers = names(spec?.initContainers);
  const ephemeral = names(spec?.ephemeralContainers);
  if (wanted) {
    if ([...containers, ...initContainers, ...ephemeral].includes(wanted)) return wanted;
    throw newBadRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
  }
  const [only] = containers;
  if (only !== undefined && containers.length + initContainers.length + ephemeral.length === 1) return only;
  const choices = [...initContainers, ...containers, ...ephemeral].join(' ');
  throw newBadRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${choices}]`);
}

/** pkg/apis/core/validation.ValidatePodLogOptions */
function logOptionErrors(query: Readonly<Record<string, string>>): FieldError[] {
  const { tailLines, sinceSeconds, sinceTime, limitBytes } = query;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && Number(tailLines) < 0)
    errors.push(invalid('tailLines', Number(tailLines), 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && Number(limitBytes) < 1) errors.push(invalid('limitBytes', Number(limitBytes), 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && Number(sinceSeconds) < 1)
    errors.push(invalid('sinceSeconds', Number(sinceSeconds), 'must be greater than 0'));
  return errors;
}
