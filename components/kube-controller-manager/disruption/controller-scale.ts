import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import { getControllerOf, parseGroupVersion } from '../../../src/api/meta.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { deployments, replicasets, replicationcontrollers, statefulsets } from '../../../src/api/resources.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import type { Client } from '../../../src/client/client.ts';
import { readPath } from '../../../src/client/discovery.ts';
import type { SharedInformerFactory } from '../../../src/client/informer-factory.ts';
import { SyncError } from '../controller/sync-error.ts';

/** How many pods a controller is meant to have: pkg/controller/disruption controllerAndScale. */
export interface ControllerScale {
  readonly uid: string;
  readonly scale: number;
}

interface ApiResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string }[];
}

/** Finds the controller that stands behind a pod, and its scale. pkg/controller/disruption/disruption.go finders */
export class ScaleFinder {
  readonly #informers: SharedInformerFactory;
  readonly #client: Client;

  constructor(informers: SharedInformerFactory, client: Client) {
    this.#informers = informers;
    this.#client = client;
    for (const resource of [deployments, replicasets, replicationcontrollers, statefulsets] as Resource[]) informers.forResource(resource);
  }

  /** Undefined when nobody knows the controller. Rejects with `SyncError` when it has no scale. */
  async find(reference: OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    const key = `${namespace}/${reference.name}`;
    switch (`${parseGroupVersion(reference.apiVersion).group}/${reference.kind}`) {
      case '/ReplicationController':
        return own(this.#informers.forResource(replicationcontrollers).store.get(key), reference);
      case 'apps/StatefulSet':
        return own(this.#informers.forResource(statefulsets).store.get(key), reference);
      case 'apps/ReplicaSet':
        return this.#ofReplicaSet(key, reference);
      default:
        return this.#ofScale(reference, namespace);
    }
  }

  /** Pods of a Deployment are counted by the Deployment, whichever of its ReplicaSets they belong to. getPodDeployment and getPodReplicaSet */
  #ofReplicaSet(key: string, reference: OwnerReference): ControllerScale | undefined {
    const replicaSet = this.#informers.forResource(replicasets).store.get(key);
    if (!replicaSet || replicaSet.metadata.uid !== reference.uid) return undefined;
    const owner = getControllerOf(replicaSet);
    if (owner?.kind !== 'Deployment') return own(replicaSet, reference);
    return own(this.#informers.forResource(deployments).store.get(`${replicaSet.metadata.namespace}/${owner.name}`), owner);
  }

  /** getScaleController */
  async #ofScale(reference: OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    const { group, version } = parseGroupVersion(reference.apiVersion);
    const found = await this.#resourcesOf(group, version);
    const resource = found.find(({ name, kind }) => kind === reference.kind && !name.includes('/'))?.name;
    if (resource === undefined) return undefined;
    const target: Resource = {
      group,
      version,
      resource,
      singular: '',
      kind: reference.kind,
      namespaced: true,
      verbs: [],
      shortNames: [],
      categories: [],
      subresources: [],
    };
    try {
      const scale = await this.#client.resource(target).getScale({ namespace, name: reference.name });
      return scale.metadata?.uid === reference.uid ? { uid: reference.uid, scale: scale.spec?.replicas ?? 0 } : undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (found.some(({ name }) => name === `${resource}/scale`)) return undefined;
      throw new SyncError(`${group ? `${resource}.${group}` : resource} does not implement the scale subresource`);
    }
  }

  async #resourcesOf(group: string, version: string): Promise<NonNullable<ApiResourceList['resources']>> {
    const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
    return (await readPath<ApiResourceList>(this.#client, path))?.resources ?? [];
  }
}

interface Scaled {
  readonly metadata: { readonly uid?: string };
  readonly spec?: { readonly replicas?: number };
}

function own(object: Scaled | undefined, { uid }: OwnerReference): ControllerScale | undefined {
  return object && object.metadata.uid === uid ? { uid, scale: object.spec?.replicas ?? 1 } : undefined;
}
