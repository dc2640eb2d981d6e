import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { pods } from '../../../src/api/resources.ts';
import { ApiStatusError, isAlreadyExists, isNotFound } from '../../../src/api/status-error.ts';
import type { Client } from '../../../src/client/client.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { MIRROR_RETRY_MS } from '../constants.ts';
import { CONFIG_HASH, CONFIG_MIRROR, podFullName } from '../types/pod-update.ts';

interface MirrorClientParts {
  readonly actor: Actor;
  readonly client: Client;
  readonly nodeName: string;
  readonly node: () => Node | undefined;
  /** The mirror pod of this name, as the API has it. */
  readonly mirrorOf: (staticPod: Pod) => Pod | undefined;
  /** It still stands in a file. */
  readonly isKnown: (staticPod: Pod) => boolean;
}

/** pkg/kubelet/pod basicMirrorClient: shows static pods in the API. A static pod runs whether that succeeds or not, so nobody waits for it. */
export class MirrorClient {
  readonly #parts: MirrorClientParts;
  /** Full names that are being worked on. */
  readonly #busy = new Set<string>();

  constructor(parts: MirrorClientParts) {
    this.#parts = parts;
  }

  /** pkg/kubelet/kubelet.go tryReconcileMirrorPods: there is one, and it shows what the file says. */
  reconcile(staticPod: Pod): void {
    const mirror = this.#parts.mirrorOf(staticPod);
    if (mirror && !mirror.metadata.deletionTimestamp && isMirrorPodOf(mirror, staticPod)) return;
    this.#run(staticPod, async () => {
      if (mirror) await this.#delete(mirror);
      if (this.#parts.isKnown(staticPod)) await this.#create(staticPod);
    });
  }

  /** pkg/kubelet/pod deleteOrphanedMirrorPods: what it shows is gone. */
  deleteOrphan(mirror: Pod): void {
    this.#run(mirror, () => this.#delete(mirror));
  }

  #run(pod: Pod, work: () => Promise<void>): void {
    const name = podFullName(pod);
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    const { actor } = this.#parts;
    actor.schedule(0, async () => {
      const done = await this.#try(work);
      this.#busy.delete(name);
      if (!done) actor.schedule(MIRROR_RETRY_MS, () => this.#again(pod), { priority: 'background', label: `${actor.name} mirror pod` });
    });
  }

  /** The API could not be reached. */
  #again(pod: Pod): void {
    if (this.#parts.isKnown(pod)) this.reconcile(pod);
    else if (pod.metadata.annotations?.[CONFIG_MIRROR] !== undefined) this.deleteOrphan(pod);
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
      return false;
    }
  }

  /** pkg/kubelet/pod CreateMirrorPod */
  async #create(staticPod: Pod): Promise<void> {
    const { client, nodeName, node } = this.#parts;
    const uid = node()?.metadata.uid;
    if (!uid) throw new ActorUnavailable('kube-apiserver', 'refused');
    const { uid: _, ...metadata } = staticPod.metadata;
    const { status: __, ...pod } = staticPod;
    const mirror: Pod = {
      ...pod,
      metadata: {
        ...metadata,
        annotations: { ...metadata.annotations, [CONFIG_MIRROR]: metadata.annotations?.[CONFIG_HASH] ?? '' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: nodeName, uid, controller: true }],
      },
    };
    try {
      await client.resource(pods).create(mirror);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** pkg/kubelet/pod DeleteMirrorPod */
  async #delete({ metadata: { name = '', namespace = '', uid = '' } }: Pod): Promise<void> {
    try {
      await this.#parts.client.resource(pods).delete({ namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** pkg/kubelet/pod IsMirrorPodOf */
function isMirrorPodOf(mirror: Pod, staticPod: Pod): boolean {
  return mirror.metadata.annotations?.[CONFIG_MIRROR] === staticPod.metadata.annotations?.[CONFIG_HASH];
}
