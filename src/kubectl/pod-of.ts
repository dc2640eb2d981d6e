import type { Pod } from '../api/kinds/core-v1.ts';
import type { LabelSelector } from '../api/kinds/meta-v1.ts';
import { labelSelectorAsSelector } from '../api/label-selector.ts';
import type { KubernetesObject } from '../api/object.ts';
import { pods } from '../api/resources.ts';
import { type CommandContext, placeOf } from './command.ts';
import { KubectlError } from './kubectl-error.ts';
import { namedObjects } from './rest-mapper.ts';

/** The pod that `web-1`, `pod/web-1`, `deploy/web` or `svc/web` means. @throws KubectlError, ApiStatusError */
export async function podOf(context: CommandContext, target: string): Promise<Pod> {
  if (!target.includes('/')) return context.client.resource(pods).get(placeOf(context, pods, target));
  const [named] = await namedObjects(context.client, [target]);
  const { resource, name = '' } = named ?? { resource: pods };
  const object = await context.client.resource(resource).get(placeOf(context, resource, name));
  if (object.kind === 'Pod') return object as Pod;
  const { first } = await firstPodOf(context, object, 'cannot attach to');
  return first;
}

/**
 * One of the pods that a workload or a Service picks, running ones first, and how many there are. kubectl pkg/polymorphichelpers GetFirstPod
 * @param what begins the error for an object that picks none
 * @throws KubectlError
 */
export async function firstPodOf(context: CommandContext, object: KubernetesObject, what: string): Promise<{ first: Pod; count: number }> {
  const { selector } = (object as { spec?: { selector?: LabelSelector & Record<string, string> } }).spec ?? {};
  if (!selector) throw new KubectlError(`error: ${what} *v1.${object.kind}: selector for *v1.${object.kind} not implemented`);
  const labelSelector =
    object.kind === 'Service'
      ? Object.entries(selector)
          .map(([key, value]) => `${key}=${value}`)
          .join(',')
      : labelSelectorAsSelector(selector).toString();
  const { items } = await context.client.resource(pods).list({ namespace: object.metadata.namespace, labelSelector });
  const sorted = [...items].sort((a, b) => Number(b.status?.phase === 'Running') - Number(a.status?.phase === 'Running'));
  const [first] = sorted;
  if (!first) throw new KubectlError('error: timed out waiting for the condition');
  return { first, count: sorted.length };
}

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** The container that is meant when none is named; says so where there are several. */
export function defaultContainer({ warn }: Pick<CommandContext, 'warn'>, { metadata, spec }: Pod): string {
  const annotated = metadata.annotations?.[DEFAULT_CONTAINER];
  if (annotated) return annotated;
  const main = spec?.containers[0]?.name ?? '';
  if ((spec?.containers.length ?? 0) > 1) {
    const init = (spec?.initContainers ?? []).map(({ name }) => `${name} (init)`);
    const ephemeral = (spec?.ephemeralContainers ?? []).map(({ name }) => `${name} (ephem)`);
    const all = [...(spec?.containers ?? []).map(({ name }) => name), ...ephemeral, ...init];
    warn(`Defaulted container "${main}" out of: ${all.join(', ')}`);
  }
  return main;
}
