import type { Pod, PodTemplateSpec } from '../../../src/api/kinds/core-v1.ts';
import type { ObjectMeta, OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { isNamespaceTerminating, isNotFound } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { invariant } from '../../../src/sim/invariant.ts';
import { messageOf, SyncError } from './sync-error.ts';

export interface CreatePodRequest {
  readonly namespace: string;
  readonly template: PodTemplateSpec;
  /** Gets the events. */
  readonly controller: KubernetesObject;
  readonly controllerRef: OwnerReference;
  /** `<controller>-` if absent. */
  readonly generateName?: string;
}

/** Creates, deletes and patches pods for a controller, and records events about it: pkg/controller/controller_utils.go RealPodControl */
export class PodControl {
  readonly #pods: ResourceClient<Pod>;
  readonly #recorder: EventRecorder;

  constructor(options: { pods: ResourceClient<Pod>; recorder: EventRecorder }) {
    this.#pods = options.pods;
    this.#recorder = options.recorder;
  }

  /** pkg/controller/controller_utils.go CreatePods */
  async createPod(request: CreatePodRequest): Promise<Pod> {
    const pod = getPodFromTemplate(request);
    invariant(Object.keys(pod.metadata.labels ?? {}).length > 0, 'validation lets no template without labels pass');
    try {
      const created = await this.#pods.create(pod);
      this.#recorder.event(request.controller, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        this.#recorder.event(request.controller, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /** A strategic merge patch; leaves no event. pkg/controller/controller_utils.go PatchPod */
  async patchPod(namespace: string, name: string, patch: unknown): Promise<void> {
    await this.#pods.patch({ namespace, name }, patch, { type: 'strategic' });
  }

  /** pkg/controller/controller_utils.go DeletePod */
  async deletePod(namespace: string, name: string, controller: KubernetesObject): Promise<void> {
    try {
      await this.#pods.delete({ namespace, name });
    } catch (error) {
      if (isNotFound(error)) throw error;
      this.#recorder.event(controller, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw new SyncError(`unable to delete pods: ${messageOf(error)}`, { cause: error });
    }
    this.#recorder.event(controller, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  }
}

/** The pod that the template describes; its spec is the template's own, not a copy: pkg/controller/controller_utils.go GetPodFromTemplate */
export function getPodFromTemplate({ namespace, template, controller, controllerRef, generateName }: CreatePodRequest): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const metadata: ObjectMeta = {
    generateName: generateName ?? getPodsPrefix(controller.metadata.name ?? ''),
    namespace,
    ...(isFilled(labels) ? { labels } : {}),
    ...(isFilled(annotations) ? { annotations } : {}),
    ...(finalizers?.length ? { finalizers } : {}),
    ownerReferences: [controllerRef],
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata, ...(template.spec ? { spec: template.spec } : {}) };
}

/** However long the name is: the check of a prefix takes its last dash off. pkg/controller/controller_utils.go getPodsPrefix */
function getPodsPrefix(controllerName: string): string {
  return `${controllerName}-`;
}

function isFilled(map: Record<string, string> | undefined): boolean {
  return map !== undefined && Object.keys(map).length > 0;
}
