import { parseFieldSelector } from '../../../src/api/field-selector.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { ClusterRole } from '../../../src/api/kinds/rbac-v1.ts';
import type { UserInfo } from '../../../src/api/request.ts';
import { clusterroles, pods } from '../../../src/api/resources.ts';
import type { Version } from '../../etcd/keyspace.ts';
import type { ServerCore } from '../server-core.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';
import { referencesOf } from './node-references.ts';
import { ruleAllows } from './policy-rule.ts';

const NODE_PREFIX = 'system:node:';
const ALLOW: Decision = { decision: 'allow', reason: '' };
const NO_OPINION: Decision = { decision: 'no-opinion', reason: '' };
const no = (reason: string): Decision => ({ decision: 'no-opinion', reason });

/** Resources that a node reads only when one of its pods refers to them. */
const REFERENCED = new Set(['secrets', 'configmaps', 'persistentvolumeclaims', 'resourceclaims']);
const OWN_WRITES = new Set(['get', 'create', 'update', 'patch', 'delete']);

/** The node that a user is the kubelet of. pkg/auth/nodeidentifier.defaultNodeIdentifier */
export function nodeOf(user: UserInfo): string | undefined {
  if (!user.username.startsWith(NODE_PREFIX) || !user.groups.includes('system:nodes')) return undefined;
  return user.username.slice(NODE_PREFIX.length);
}

/**
 * Lets a kubelet do what it needs for its own node and the pods on it. plugin/pkg/auth/authorizer/node.NodeAuthorizer; of its graph, the ways over
 * PersistentVolumes and VolumeAttachments are open to every node.
 */
export class NodeAuthorizer implements Authorizer {
  readonly #server: ServerCore;
  readonly #podsByNode = new Map<string, Map<string, Pod>>();
  readonly #static = new Map<string, Decision>();
  #staticRole: ClusterRole | undefined;
  readonly #references = new WeakMap<Pod, ReadonlySet<string>>();

  constructor(server: ServerCore) {
    this.#server = server;
    const { keyspace } = server.storage(pods);
    for (const version of keyspace.range(keyspace.prefix).versions) this.#see(version);
    keyspace.watch((version) => this.#see(version));
  }

  authorize(attributes: AuthorizationAttributes): Decision {
    if (!attributes.user.groups.includes('system:nodes')) return NO_OPINION;
    const node = nodeOf(attributes.user);
    if (!node) return no(`unknown node for user "${attributes.user.username}"`);
    if (!attributes.isResourceRequest) return NO_OPINION;
    const { resource, subresource, verb } = attributes;
    if (resource === 'persistentvolumeclaims' && subresource === 'status') return this.#byStaticRules(attributes);
    if (REFERENCED.has(resource)) return this.#referenced(node, attributes);
    if (resource === 'serviceaccounts') return this.#token(node, attributes);
    if (resource === 'leases') return ownLease(node, attributes);
    if (resource === 'csinodes') return ownCsiNode(node, attributes);
    if (resource === 'nodes' && (verb === 'get' || verb === 'list' || verb === 'watch')) return ownNode(node, attributes);
    if (resource === 'pods' && (verb === 'list' || verb === 'watch')) return ownPods(node, attributes);
    if (resource === 'pods' && verb === 'get') {
      const found = this.#podsByNode.get(node)?.has(`${attributes.namespace}/${attributes.name}`);
      return found ? ALLOW : no(`no relationship found between node '${node}' and this object`);
    }
    return this.#byStaticRules(attributes);
  }

  /** What every node may do; remembered for as long as the role is the same. */
  #byStaticRules(attributes: AuthorizationAttributes): Decision {
    const role = this.#server.storage(clusterroles).get('', 'system:node');
    if (role !== this.#staticRole) {
      this.#staticRole = role;
      this.#static.clear();
    }
    const { verb, group, resource, subresource, name } = attributes;
    const key = `${verb} ${group}/${resource}/${subresource}`;
    let decision = this.#static.get(key);
    if (!decision) {
      decision = role?.rules?.some((rule) => ruleAllows(rule, attributes)) ? ALLOW : NO_OPINION;
      // A rule for certain names decides for those only.
      if (!role?.rules?.some(({ resourceNames }) => resourceNames?.includes(name))) this.#static.set(key, decision);
    }
    return decision;
  }

  #referenced(node: string, { resource, subresource, verb, namespace, name }: AuthorizationAttributes): Decision {
    if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return no('can only read resources of this type');
    if (subresource) return no('cannot read subresource');
    if (!namespace) return no('can only read namespaced object of this type');
    if (!name) return no('No Object name found');
    for (const pod of this.#podsByNode.get(node)?.values() ?? []) {
      if (pod.metadata.namespace === namespace && this.#referencesOf(pod).has(`${resource}/${name}`)) return ALLOW;
    }
    return no(`no relationship found between node '${node}' and this object`);
  }

  #token(node: string, { subresource, verb, namespace, name }: AuthorizationAttributes): Decision {
    if (verb === 'get' && subresource === '') return no('not allowed to get service accounts');
    if (verb !== 'create' || name === '') return no('can only create tokens for individual service accounts');
    if (subresource !== 'token') return no('can only create token subresource of serviceaccount');
    return this.#referenced(node, {
      resource: 'serviceaccounts',
      subresource: '',
      verb: 'get',
      namespace,
      name,
    } as AuthorizationAttributes);
  }

  #referencesOf(pod: Pod): ReadonlySet<string> {
    let references = this.#references.get(pod);
    if (!references) {
      references = referencesOf(pod);
      this.#references.set(pod, references);
    }
    return references;
  }

  #see({ value, previous }: Version<Pod>): void {
    const before = previous?.value?.spec?.nodeName;
    const now = value?.spec?.nodeName;
    const { namespace, name } = (value ?? previous?.value)?.metadata ?? {};
    const key = `${namespace}/${name}`;
    if (before && before !== now) this.#podsByNode.get(before)?.delete(key);
    if (!now || !value) return;
    const held = this.#podsByNode.get(now) ?? new Map<string, Pod>();
    this.#podsByNode.set(now, held);
    held.set(key, value);
  }
}

function ownLease(node: string, { verb, namespace, name }: AuthorizationAttributes): Decision {
  if (!OWN_WRITES.has(verb)) return no('can only get, create, update, patch, or delete a node lease');
  if (namespace !== 'kube-node-lease') return no('can only access leases in the "kube-node-lease" system namespace');
  // The name of a new lease is in its body: admission looks at that.
  if (verb !== 'create' && name !== node) return no('can only access node lease with the same name as the requesting node');
  return ALLOW;
}

function ownCsiNode(node: string, { verb, subresource, name }: AuthorizationAttributes): Decision {
  if (!OWN_WRITES.has(verb) || subresource) return no('can only get, create, update, patch, or delete a CSINode');
  if (verb !== 'create' && name !== node) return no('can only access CSINode with the same name as the requesting node');
  return ALLOW;
}

function ownNode(node: string, { verb, name }: AuthorizationAttributes): Decision {
  if (name === node) return ALLOW;
  if (name === '' && verb !== 'get') return no(`node '${node}' cannot read all nodes, only its own Node object`);
  return no(`node '${node}' cannot read '${name}', only its own Node object`);
}

function ownPods(node: string, { fieldSelector }: AuthorizationAttributes): Decision {
  const wanted = parseFieldSelector(fieldSelector).requirements.find(
    ({ field, operator }) => field === 'spec.nodeName' && operator === '=',
  );
  return wanted?.value === node ? ALLOW : no('can only list/watch pods with spec.nodeName field selector');
}
