import { parseFieldSelector } from '../../../src/api/field-selector.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { ClusterRole } from '../../../src/api/kinds/rbac-v1.ts';
import type { UserInfo } from '../../../src/api/request.ts';
import {
  clusterroles,
  persistentvolumeclaims,
  persistentvolumes,
  pods,
  resourceslices,
  volumeattachments,
} from '../../../src/api/resources.ts';
import type { Version } from '../../etcd/keyspace.ts';
import type { ServerCore } from '../server-core.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';
import { referencesOf } from './node-references.ts';
import { ruleAllows } from './policy-rule.ts';
import { secretsOfVolume } from './volume-secrets.ts';

/** What a way in the graph begins with. */
type Named = Pick<AuthorizationAttributes, 'resource' | 'namespace' | 'name'>;

const NODE_PREFIX = 'system:node:';
const ALLOW: Decision = { decision: 'allow', reason: '' };
const NO_OPINION: Decision = { decision: 'no-opinion', reason: '' };
const no = (reason: string): Decision => ({ decision: 'no-opinion', reason });

/** Resources that a node reads, by their names, only when one of its pods refers to them. */
const READ = new Set(['secrets', 'configmaps']);
/** The same, one at a time. */
const GOT = new Set(['persistentvolumeclaims', 'persistentvolumes', 'resourceclaims', 'volumeattachments']);
const SLICE_VERBS = ['get', 'watch', 'list', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const OWN_WRITES = new Set(['get', 'create', 'update', 'patch', 'delete']);

/** The node that a user is the kubelet of. pkg/auth/nodeidentifier.defaultNodeIdentifier */
export function nodeOf(user: UserInfo): string | undefined {
  if (!user.username.startsWith(NODE_PREFIX) || !user.groups.includes('system:nodes')) return undefined;
  return user.username.slice(NODE_PREFIX.length);
}

/** Lets a kubelet do what it needs for its own node and the pods on it. plugin/pkg/auth/authorizer/node.NodeAuthorizer */
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
    if (resource === 'persistentvolumeclaims' && subresource !== '') return this.#claimStatus(node, attributes);
    if (READ.has(resource)) return this.#read(node, attributes);
    if (GOT.has(resource)) return this.#got(node, attributes);
    if (resource === 'resourceslices') return this.#slice(node, attributes);
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

  #read(node: string, attributes: AuthorizationAttributes): Decision {
    const { verb, subresource, namespace } = attributes;
    if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return no('can only read resources of this type');
    if (subresource) return no('cannot read subresource');
    if (!namespace) return no('can only read namespaced object of this type');
    return this.#related(node, attributes);
  }

  #got(node: string, attributes: AuthorizationAttributes): Decision {
    if (attributes.verb !== 'get') return no('can only get individual resources of this type');
    if (attributes.subresource) return no('cannot get subresource');
    return this.#related(node, attributes);
  }

  #claimStatus(node: string, attributes: AuthorizationAttributes): Decision {
    if (!['get', 'update', 'patch'].includes(attributes.verb)) return no('can only get/update/patch this type');
    if (attributes.subresource !== 'status') return no('can only update status subresource');
    return this.#related(node, attributes);
  }

  /** New ones are looked at by admission. */
  #slice(node: string, attributes: AuthorizationAttributes): Decision {
    const { verb, subresource, fieldSelector } = attributes;
    if (subresource) return no('cannot authorize ResourceSlice subresources');
    if (!SLICE_VERBS.includes(verb)) return no(`only the following verbs are allowed for a ResourceSlice: ${SLICE_VERBS.join(', ')}`);
    if (verb === 'create') return ALLOW;
    if (verb !== 'watch' && verb !== 'list' && verb !== 'deletecollection') return this.#related(node, attributes);
    return selects(fieldSelector, node) ? ALLOW : no('can only list/watch/deletecollection resourceslices with nodeName field selector');
  }

  /** Whether a way leads from the object to the node. */
  #related(node: string, { resource, namespace, name }: AuthorizationAttributes): Decision {
    if (!name) return no('No Object name found');
    return this.#leadsTo(node, { resource, namespace, name }) ? ALLOW : no(`no relationship found between node '${node}' and this object`);
  }

  #leadsTo(node: string, { resource, namespace, name }: Named): boolean {
    switch (resource) {
      case 'volumeattachments':
        return this.#server.storage(volumeattachments).get('', name)?.spec.nodeName === node;
      case 'resourceslices':
        return this.#server.storage(resourceslices).get('', name)?.spec.nodeName === node;
      case 'persistentvolumes': {
        const { claimRef } = this.#server.storage(persistentvolumes).get('', name)?.spec ?? {};
        return claimRef !== undefined && this.#isReferred(node, claimRef.namespace ?? '', `persistentvolumeclaims/${claimRef.name}`);
      }
      default:
        return (
          this.#isReferred(node, namespace, `${resource}/${name}`) ||
          (resource === 'secrets' && this.#isOfVolume(node, `${namespace}/${name}`))
        );
    }
  }

  /** Whether a pod on the node refers to something of its namespace. */
  #isReferred(node: string, namespace: string, what: string): boolean {
    for (const pod of this.#podsByNode.get(node)?.values() ?? [])
      if (pod.metadata.namespace === namespace && this.#referencesOf(pod).has(what)) return true;
    return false;
  }

  /** Whether a volume of a pod on the node needs the secret. */
  #isOfVolume(node: string, secret: string): boolean {
    const claims = this.#server.storage(persistentvolumeclaims);
    for (const pod of this.#podsByNode.get(node)?.values() ?? []) {
      for (const reference of this.#referencesOf(pod)) {
        const [resource, name = ''] = reference.split('/');
        const claim = resource === 'persistentvolumeclaims' ? claims.get(pod.metadata.namespace ?? '', name) : undefined;
        const volume = claim?.spec?.volumeName ? this.#server.storage(persistentvolumes).get('', claim.spec.volumeName) : undefined;
        if (volume && secretsOfVolume(volume).includes(secret)) return true;
      }
    }
    return false;
  }

  #token(node: string, { subresource, verb, namespace, name }: AuthorizationAttributes): Decision {
    if (verb === 'get' && subresource === '') return no('not allowed to get service accounts');
    if (verb !== 'create' || name === '') return no('can only create tokens for individual service accounts');
    if (subresource !== 'token') return no('can only create token subresource of serviceaccount');
    return this.#isReferred(node, namespace, `serviceaccounts/${name}`)
      ? ALLOW
      : no(`no relationship found between node '${node}' and this object`);
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
  return selects(fieldSelector, node) ? ALLOW : no('can only list/watch pods with spec.nodeName field selector');
}

/** Whether a field selector wants nothing but what is on the node. */
function selects(fieldSelector: string | undefined, node: string): boolean {
  const { requirements } = parseFieldSelector(fieldSelector);
  return requirements.some(({ field, operator, value }) => field === 'spec.nodeName' && operator === '=' && value === node);
}
