import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';
import type { Etcd } from '../../etcd/etcd.ts';
import type { Keyspace, Version } from '../../etcd/keyspace.ts';
import { keyPrefix } from './key-layout.ts';
import type { Strategy } from './strategy.ts';
import { WatchCache } from './watch-cache.ts';

/** What is kept of one resource: its keys in etcd, its rules, and the watches on it. apiserver pkg/registry/generic/registry.Store */
export class ResourceStorage<T extends KubernetesObject = KubernetesObject> {
  readonly resource: Resource<T>;
  readonly strategy: Strategy<T>;
  readonly keyspace: Keyspace<T>;
  readonly watchCache: WatchCache<T>;
  readonly etcd: Etcd;

  constructor(options: { resource: Resource<T>; strategy: Strategy<T>; etcd: Etcd; custom?: boolean }) {
    this.resource = options.resource;
    this.strategy = options.strategy;
    this.etcd = options.etcd;
    this.keyspace = options.etcd.keyspace(keyPrefix(options.resource, options.custom ?? false));
    this.watchCache = new WatchCache({
      resource: options.resource,
      keyspace: this.keyspace,
      etcd: options.etcd,
      selectableFields: options.strategy.selectableFields ?? {},
    });
  }

  key(namespace: string, name: string): string {
    return namespace ? `${this.keyspace.prefix}${namespace}/${name}` : this.keyspace.prefix + name;
  }

  /** The present version of an object. */
  find(namespace: string, name: string): Version<T> | undefined {
    return this.keyspace.get(this.key(namespace, name));
  }

  /** The object at a revision not long ago; the present one if absent. */
  get(namespace: string, name: string, revision?: number): T | undefined {
    const key = this.key(namespace, name);
    return (revision === undefined ? this.keyspace.get(key) : this.keyspace.remembered(key, revision))?.value;
  }

  /** Objects of a namespace, or of all (''), in key order. */
  list(namespace = ''): T[] {
    const { prefix } = this.keyspace;
    return this.keyspace.range(namespace ? `${prefix}${namespace}/` : prefix).versions.map((version) => version.value as T);
  }
}
