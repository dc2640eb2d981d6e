import type { KubernetesObject } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import {
  configmaps,
  cronjobs,
  daemonsets,
  deployments,
  endpoints,
  ingresses,
  jobs,
  namespaces,
  persistentvolumeclaims,
  persistentvolumes,
  pods,
  replicasets,
  replicationcontrollers,
  secrets,
  services,
  statefulsets,
} from '../api/resources.ts';
import type { CommandContext } from './command.ts';
import { klogWarning } from './klog.ts';
import { KubectlError } from './kubectl-error.ts';
import { LAST_APPLIED } from './last-applied.ts';
import { dryRunNote, dryRunOf } from './make-object.ts';
import { findResourceOf, kindName } from './rest-mapper.ts';

const NAMESPACED: readonly Resource[] = [
  configmaps,
  endpoints,
  persistentvolumeclaims,
  pods,
  replicationcontrollers,
  secrets,
  services,
  jobs,
  cronjobs,
  ingresses,
  daemonsets,
  deployments,
  replicasets,
  statefulsets,
] as readonly Resource[];
const OF_CLUSTER: readonly Resource[] = [namespaces, persistentvolumes] as readonly Resource[];

/**
 * `kubectl apply --prune`: deletes what was applied once and was not applied now, of the kinds of the allowlist and in the namespaces that were applied to.
 * kubectl pkg/util/prune, pkg/cmd/apply pruner
 */
export async function prune(context: CommandContext, applied: readonly KubernetesObject[]): Promise<void> {
  const uids = new Set(applied.map(({ metadata }) => metadata.uid));
  const namespacesOf = new Set(applied.flatMap(({ metadata }) => (metadata.namespace ? [metadata.namespace] : [])));
  const allowed = await allowlist(context);
  if (!allowed && context.flags.string('namespace') !== undefined)
    klogWarning(
      context,
      'prune.go:71',
      'Deprecated: kubectl apply will no longer prune non-namespaced resources by default when used with the --namespace flag in a future release. To preserve the current behaviour, list the resources you want to target explicitly in the --prune-allowlist flag.',
    );
  const among = allowed ?? [...NAMESPACED, ...OF_CLUSTER];
  for (const namespace of [...namespacesOf].sort())
    for (const resource of among) if (resource.namespaced) await pruneKind(context, { resource, namespace, uids });
  for (const resource of among) if (!resource.namespaced) await pruneKind(context, { resource, uids });
}

/** What `--prune-allowlist=GROUP/VERSION/KIND` names; undefined without one. */
async function allowlist({ client, flags }: CommandContext): Promise<Resource[] | undefined> {
  const names = flags.list('prune-allowlist');
  if (!names.length) return undefined;
  const found: Resource[] = [];
  for (const name of names) {
    const [group = '', version = '', kind = '', ...more] = name.split('/');
    if (!kind || more.length) throw new KubectlError(`error: invalid GroupVersionKind format: ${name}, please follow <group/version/kind>`);
    const apiVersion = group === 'core' ? version : `${group}/${version}`;
    const resource = await findResourceOf(client, { apiVersion, kind, metadata: {} });
    if (!resource) throw new KubectlError(`error: no matches for kind "${kind}" in version "${apiVersion}"`);
    found.push(resource);
  }
  return found;
}

async function pruneKind(
  context: CommandContext,
  { resource, namespace, uids }: { resource: Resource; namespace?: string; uids: ReadonlySet<string | undefined> },
): Promise<void> {
  const client = context.client.resource(resource);
  const labelSelector = context.flags.string('selector');
  const { items } = await client.list({ namespace, ...(labelSelector ? { labelSelector } : {}) });
  for (const { metadata } of items) {
    if (!metadata.annotations?.[LAST_APPLIED] || uids.has(metadata.uid)) continue;
    const dryRun = dryRunOf(context);
    if (dryRun !== 'client')
      await client.delete(
        { namespace: metadata.namespace, name: metadata.name ?? '' },
        { propagationPolicy: 'Background', ...(dryRun === 'server' ? { dryRun: true } : {}) },
      );
    context.out(`${kindName(resource)}/${metadata.name} pruned${dryRunNote(context)}`);
  }
}
