import type { MutatingWebhook, ValidatingWebhook } from '../../../../src/api/kinds/admissionregistration-v1.ts';
import { labelSelectorAsSelector, type Selector } from '../../../../src/api/label-selector.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import type { Version } from '../../../etcd/keyspace.ts';
import type { ServerCore } from '../../server-core.ts';

/** One webhook, ready to be asked. apiserver pkg/admission/plugin/webhook.WebhookAccessor */
export interface Hook {
  readonly webhook: MutatingWebhook & ValidatingWebhook;
  readonly configuration: string;
  /** Names it across configurations. */
  readonly key: string;
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
}

type Configuration = KubernetesObject & { readonly webhooks?: readonly (MutatingWebhook & ValidatingWebhook)[] };

const NONE: readonly Hook[] = [];

interface Compiled {
  readonly versions: readonly Version[];
  readonly hooks: readonly Hook[];
}

const compiled = new WeakMap<ServerCore, Map<Resource, Compiled>>();

/** Every webhook of a kind of configuration, by configuration name, then in list order. apiserver pkg/admission/configuration */
export function webhooksOf(server: ServerCore, resource: Resource): readonly Hook[] {
  const { keyspace } = server.storage(resource);
  if (keyspace.size === 0) return NONE;
  const { versions } = keyspace.range(keyspace.prefix);
  const ofServer = compiled.get(server) ?? new Map<Resource, Compiled>();
  compiled.set(server, ofServer);
  const known = ofServer.get(resource);
  if (known?.versions.length === versions.length && known.versions.every((version, index) => version === versions[index]))
    return known.hooks;
  const hooks = versions.flatMap(({ value }) => hooksIn(value as unknown as Configuration));
  ofServer.set(resource, { versions, hooks });
  return hooks;
}

function hooksIn({ metadata, webhooks = [] }: Configuration): Hook[] {
  const configuration = metadata.name ?? '';
  return webhooks.map((webhook) => ({
    webhook,
    configuration,
    key: `${configuration}/${webhook.name}`,
    namespaceSelector: labelSelectorAsSelector(webhook.namespaceSelector ?? {}),
    objectSelector: labelSelectorAsSelector(webhook.objectSelector ?? {}),
  }));
}
