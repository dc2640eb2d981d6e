import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { pods } from '../../../src/api/resources.ts';
import type { Client } from '../../../src/client/client.ts';
import { SharedInformer } from '../../../src/client/informer.ts';

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
}

/** pkg/kubelet/config/apiserver.go: the pods of this node, as the API has them. */
export class PodConfig {
  readonly #informer: SharedInformer<Pod>;
  readonly #initial: Pod[] = [];
  readonly #byUid = new Map<string, Pod>();
  #started = false;

  constructor(client: Client, nodeName: string) {
    this.#informer = new SharedInformer({ client: client.resource(pods), list: { fieldSelector: `spec.nodeName=${nodeName}` } });
  }

  get(uid: string): Pod | undefined {
    return this.#byUid.get(uid);
  }

  byName(namespace: string, name: string): Pod | undefined {
    return this.#informer.store.get(`${namespace}/${name}`);
  }

  get pods(): Iterable<Pod> {
    return this.#byUid.values();
  }

  /** Resolves when the pods that were there have been handed over. */
  async start(handler: PodHandler): Promise<void> {
    this.#informer.addEventHandler({
      onAdd: (pod) => {
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
  }

  #update(handler: PodHandler, old: Pod, pod: Pod): void {
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
