import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { CustomResourceDefinition } from '../../../src/api/kinds/apiextensions-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { customresourcedefinitions } from '../../../src/api/resources.ts';
import { loopbackWrite } from '../loopback.ts';
import type { ServerCore } from '../server-core.ts';
import { DELETE_OPTIONS, finalizeInstance } from './finalize-instances.ts';
import { calculateNames, findCondition, isConditionTrue, withCondition } from './naming.ts';

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
const APPROVED = 'api-approved.kubernetes.io';
const REACTION_MS = 2;
const CLEANUP_POLL_MS = 5_000;

/**
 * What kube-apiserver itself does with definitions: accepts their names, establishes them, and clears away the objects of those that are deleted.
 * apiextensions-apiserver pkg/controller/status, establish, finalizer, apiapproval
 */
export class DefinitionController {
  readonly #server: ServerCore;
  readonly #queued = new Set<string>();

  constructor(server: ServerCore) {
    this.#server = server;
  }

  /** Looks at a definition soon. */
  enqueue(name: string, options: { readonly delayMs?: number; readonly background?: boolean } = {}): void {
    const { actor } = this.#server.config;
    if (!actor || this.#queued.has(name)) return;
    this.#queued.add(name);
    actor.schedule(
      options.delayMs ?? REACTION_MS,
      () => {
        this.#queued.delete(name);
        this.#sync(name);
      },
      { ...(options.background ? { priority: 'background' as const } : {}), label: 'kube-apiserver: custom resource definitions' },
    );
  }

  /** Looks at the other definitions of a group whose names have changed. apiextensions-apiserver pkg/controller/status requeueAllOtherGroupCRDs */
  enqueueOthers(definition: CustomResourceDefinition): void {
    for (const { metadata } of this.#othersOf(definition)) this.enqueue(metadata.name ?? '');
  }

  #othersOf({ spec, metadata }: CustomResourceDefinition): CustomResourceDefinition[] {
    const definitions = this.#server.storage(customresourcedefinitions).list();
    return definitions.filter((other) => other.spec.group === spec.group && other.metadata.name !== metadata.name);
  }

  #sync(name: string): void {
    const definition = this.#server.storage(customresourcedefinitions).get('', name);
    if (!definition) return;
    if (definition.metadata.deletionTimestamp) this.#finalize(definition);
    else if (!this.#syncNames(definition) && !this.#syncApproval(definition)) this.#establish(definition);
  }

  /** A write of status makes the next look follow by itself. */
  #write(old: CustomResourceDefinition, changed: CustomResourceDefinition): boolean {
    if (deepEqual(old, changed)) return false;
    loopbackWrite(this.#server, changed, { resource: customresourcedefinitions, verb: 'update', subresource: 'status' });
    return true;
  }

  #syncNames(definition: CustomResourceDefinition): boolean {
    const { acceptedNames, conditions } = calculateNames(definition, this.#othersOf(definition));
    let changed: CustomResourceDefinition = { ...definition, status: { ...definition.status, acceptedNames } };
    for (const condition of conditions) changed = withCondition(changed, condition, this.#server.now);
    return this.#write(definition, changed);
  }

  #syncApproval(definition: CustomResourceDefinition): boolean {
    const { group } = definition.spec;
    if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return false;
    const given = definition.metadata.annotations?.[APPROVED] ?? '';
    const type = 'KubernetesAPIApprovalPolicyConformant';
    const condition = given.startsWith('unapproved')
      ? { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${JSON.stringify(given)}` }
      : { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${given}` };
    return this.#write(definition, withCondition(definition, condition, this.#server.now));
  }

  #establish(definition: CustomResourceDefinition): void {
    if (!isConditionTrue(definition, 'NamesAccepted') || isConditionTrue(definition, 'Established')) return;
    const condition = {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    };
    this.#write(definition, withCondition(definition, condition, this.#server.now));
  }

  #finalize(definition: CustomResourceDefinition): void {
    if (!definition.metadata.finalizers?.includes(CLEANUP_FINALIZER)) return;
    const { name = '' } = definition.metadata;
    const terminating = (status: string, reason: string, message: string): boolean =>
      this.#write(definition, withCondition(definition, { type: 'Terminating', status, reason, message }, this.#server.now));
    const { reason } = findCondition(definition, 'Terminating') ?? {};
    if (reason === 'InstanceDeletionPending') {
      if (!isConditionTrue(definition, 'Established')) terminating('False', 'NeverEstablished', 'resource was never established');
      else terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
      return;
    }
    if (reason === 'InstanceDeletionInProgress') {
      if (this.#deleteInstances(definition) > 0) this.enqueue(name, { delayMs: CLEANUP_POLL_MS, background: true });
      else terminating('False', 'InstanceDeletionCompleted', 'removed all instances');
      return;
    }
    const { finalizers = [], ...metadata } = definition.metadata;
    const left = finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
    const verb = left.length > 0 ? 'update' : 'delete';
    const released = { ...definition, metadata: { ...metadata, ...(left.length > 0 ? { finalizers: left } : {}) } };
    loopbackWrite(this.#server, released, {
      resource: customresourcedefinitions,
      verb,
      ...(verb === 'update' ? { subresource: 'status' } : {}),
    });
  }

  /** How many are left. */
  #deleteInstances({ spec }: CustomResourceDefinition): number {
    const storage = this.#server.storage<KubernetesObject>({ group: spec.group, resource: spec.names.plural });
    if (!storage) return 0;
    for (const object of storage.list()) finalizeInstance(this.#server, storage, { object, options: DELETE_OPTIONS });
    return storage.keyspace.size;
  }
}
