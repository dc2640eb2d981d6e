import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import type { ObjectReader } from '../object-reader.ts';

/** Tells of secrets for registries that cannot be had; pulls are tried all the same. pkg/kubelet/kubelet_pods.go getPullSecretsForPod */
export async function getPullSecretsForPod(
  { objects, recorder }: { readonly objects: ObjectReader; readonly recorder: EventRecorder },
  pod: Pod,
): Promise<void> {
  const missing: string[] = [];
  for (const { name = '' } of pod.spec?.imagePullSecrets ?? []) {
    if (name && !(await isThere(objects, pod.metadata.namespace ?? '', name))) missing.push(name);
  }
  if (missing.length === 0) return;
  const message = `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`;
  recorder.event(pod, 'Warning', 'FailedToRetrieveImagePullSecret', message);
}

async function isThere(objects: ObjectReader, namespace: string, name: string): Promise<boolean> {
  try {
    return (await objects.secret(namespace, name)) !== undefined;
  } catch (error) {
    if (error instanceof ApiStatusError || error instanceof ActorUnavailable) return false;
    throw error;
  }
}
