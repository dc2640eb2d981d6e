import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { pods } from '../../../src/api/resources.ts';
import type { Client } from '../../../src/client/client.ts';
import { SharedInformer } from '../../../src/client/informer.ts';
import { isMirrorPod, podFullName } from '../types/pod-update.ts';

/** What the sync loop hears of pods: pkg/kubelet/types PodOperation. */
export interface PodHandler {
  /** All pods that were there when the kubelet started, then each new one. */
  handlePodAdditions(pods: readonly Pod[]): void;
  /** Something of the spec, of labels or annotations changed. */
  handlePodUpdates(pods: readonly Pod[]): void;
  /** The pod is to be deleted. */
  handlePodDeletes(pods: readonly Pod[]): void;
  /** Its object is gone. */
  handlePodRemoves(pods: readonly Pod[]): void;
  /** Only its status changed. */
  handlePodReconcile(pods: readonly Pod[]): void;
  /** The mirror pod of a static pod was made, changed or deleted. */
  handleMirrorPod(mirror: Pod): void;
  /** All sources have told of the pods that were there at the start. */
  handleSourcesReady(): void;
}

/** pkg/kubelet/config PodConfig: the pods of this node, as the API has them (apiserver.go) and as its own files do (file.go). */
export class PodConfig {
  readonly #informer: SharedInformer<Pod>;
  readonly #initial: Pod[] = [];
  readonly #byUid = new Map<string, Pod>();
  /** By full name. */
  readonly #static = new Map<string, Pod>();
  #started = false;

  constructor(client: Client, nodeName: string) {
    this.#informer = new SharedInformer({ client: client.resource(pods), list: { fieldSelector: `spec.nodeName=${nodeName}` } });
  }

  get(uid: string): Pod | undefined {
    return this.#byUid.get(uid);
  }

  byName(namespace: string, name: string): Pod | undefined {
    return this.#static.get(`${name}_${namespace}`) ?? this.#informer.store.get(`${namespace}/${name}`);
  }

  get pods(): Iterable<Pod> {
    return this.#byUid.values();
  }

  /** The static pod that a mirror pod shows: pkg/kubelet/pod GetPodByMirrorPod. */
  staticPodOf(mirror: Pod): Pod | undefined {
    return this.#static.get(podFullName(mirror));
  }

  /** pkg/kubelet/pod GetMirrorPodByPod */
  mirrorPodOf({ metadata }: Pod): Pod | undefined {
    const found = this.#informer.store.get(`${metadata.namespace}/${metadata.name}`);
    return found && isMirrorPod(found) ? found : undefined;
  }

  /** What the files say now. */
  setStaticPods(pods: readonly Pod[], handler: PodHandler): void {
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    const gone = [...this.#static.values()].filter(({ metadata }) => !uids.has(metadata.uid));
    for (const pod of gone) {
      this.#byUid.delete(pod.metadata.uid ?? '');
      this.#static.delete(podFullName(pod));
    }
    const added = pods.filter(({ metadata }) => !this.#byUid.has(metadata.uid ?? ''));
    for (const pod of added) {
      this.#byUid.set(pod.metadata.uid ?? '', pod);
      this.#static.set(podFullName(pod), pod);
    }
    if (gone.length > 0) handler.handlePodRemoves(gone);
    if (added.length > 0) handler.handlePodAdditions(added);
  }

  /** Resolves when the pods that were there have been handed over. */
  async start(handler: PodHandler): Promise<void> {
    this.#informer.addEventHandler({
      onAdd: (pod) => {
        if (isMirrorPod(pod)) {
          handler.handleMirrorPod(pod);
          return;
        }
        this.#byUid.set(pod.metadata.uid ?? '', pod);
        if (this.#started) handler.handlePodAdditions([pod]);
        else this.#initial.push(pod);
      },
      onUpdate: (old, pod) => this.#update(handler, old, pod),
      onDelete: (pod) => this.#remove(handler, pod),
    });
    this.#informer.start();
    await this.#informer.waitForSync();
    this.#started = true;
    handler.handlePodAdditions(this.#initial);
    handler.handleSourcesReady();
  }

  #update(handler: PodHandler, old: Pod, pod: Pod): void {
    if (isMirrorPod(pod)) {
      handler.handleMirrorPod(pod);
      return;
    }
    if (old.metadata.uid !== pod.metadata.uid) {
      this.#remove(handler, old);
      this.#byUid.set(pod.metadata.uid ?? '', pod);
      handler.handlePodAdditions([pod]);
      return;
    }
    this.#byUid.set(pod.metadata.uid ?? '', pod);
    if (old.metadata.resourceVersion === pod.metadata.resourceVersion) return;
    if (!isSemanticallyUpdated(old, pod)) handler.handlePodReconcile([pod]);
    else if (pod.metadata.deletionTimestamp) handler.handlePodDeletes([pod]);
    else handler.handlePodUpdates([pod]);
  }

  #remove(handler: PodHandler, pod: Pod): void {
    if (isMirrorPod(pod)) {
      handler.handleMirrorPod(pod);
      return;
    }
    this.#byUid.delete(pod.metadata.uid ?? '');
    handler.handlePodRemoves([pod]);
  }
}

/** pkg/kubelet/config podsDifferSemantically */
function isSemanticallyUpdated(old: Pod, pod: Pod): boolean {
  return (
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    old.metadata.deletionGracePeriodSeconds !== pod.metadata.deletionGracePeriodSeconds ||
    !deepEqual(old.spec, pod.spec) ||
    !deepEqual(old.metadata.labels, pod.metadata.labels) ||
    !deepEqual(old.metadata.annotations, pod.metadata.annotations)
  );
}
