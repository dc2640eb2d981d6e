import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { Container, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { computePodQOS } from '../../../../src/api/pod-qos.ts';
import { formatTime } from '../../../../src/api/time.ts';
import type { KindRules } from '../kind-strategy.ts';
import { APP_ARMOR } from './pod-annotations-validation.ts';
import { setDefaultsPod } from './pod-defaults.ts';
import { dropDisabledSpecFields } from './pod-disabled-fields.ts';
import { mergeMatchLabelKeys } from './pod-match-label-keys.ts';
import { takeResources, validatePodResize } from './pod-resize.ts';
import { validatePod } from './pod-spec-validation.ts';
import { validateEphemeralContainersUpdate, validatePodStatusUpdate, validatePodUpdate } from './pod-update-validation.ts';
import { podWarnings } from './pod-warnings.ts';

const GATED = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** kubernetes pkg/registry/core/pod podStrategy */
export const podRules: KindRules<Pod> = {
  defaults: setDefaultsPod,
  metaTwiceOnUpdate: true,
  metaTwiceOnStatusUpdate: true,
  hasStatus: true,
  generation: true,
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  prepareForCreate: (pod, { wallTime }) => {
    const gated = pod.spec?.schedulingGates?.length ? { conditions: [{ ...GATED, lastTransitionTime: formatTime(wallTime) }] } : {};
    const status = { phase: 'Pending', qosClass: computePodQOS(pod), ...gated };
    return mergeMatchLabelKeys(withAppArmorFields(dropDisabledFields({ ...pod, status }, undefined)));
  },
  prepareForUpdate: (pod, old) => dropDisabledFields(pod, old),
  prepareForStatusUpdate: (pod, old) => {
    const { deletionTimestamp: _, ownerReferences: _owners, ...metadata } = pod.metadata;
    const { deletionTimestamp, ownerReferences } = old.metadata;
    const kept = { ...metadata, ...(deletionTimestamp ? { deletionTimestamp } : {}), ...(ownerReferences ? { ownerReferences } : {}) };
    const { podIP, podIPs } = pod.status ?? {};
    const status = podIP && podIPs?.[0]?.ip !== podIP ? { status: { ...pod.status, podIPs: [{ ip: podIP }] } } : {};
    return { ...pod, metadata: kept, ...status };
  },
  validateStatusUpdate: validatePodStatusUpdate,
  warnings: podWarnings,
  subresources: {
    ephemeralcontainers: {
      prepareForUpdate: (_context, pod, old) => withEphemeralContainers(pod, old),
      validateUpdate: (_context, pod, old) => validateEphemeralContainersUpdate(pod, old),
    },
    resize: {
      prepareForUpdate: (_context, pod, old) => takeResources(pod, old),
      validateUpdate: (_context, pod, old) => validatePodResize(pod, old),
    },
  },
};

/** kubernetes pkg/registry/core/pod dropNonEphemeralContainerUpdates */
function withEphemeralContainers(pod: Pod, old: Pod): Pod {
  const containers = pod.spec?.ephemeralContainers;
  const spec = old.spec ?? { containers: [] };
  if (semanticDeepEqual(containers, spec.ephemeralContainers)) return old;
  const generation = (old.metadata.generation ?? 0) + 1;
  return { ...old, metadata: { ...old.metadata, generation }, spec: { ...spec, ephemeralContainers: containers ?? [] } };
}

/** Fields of features that are off go; a negative grace period becomes 1. */
function dropDisabledFields(pod: Pod, old: Pod | undefined): Pod {
  if (!pod.spec || pod.spec === old?.spec) return pod;
  let spec = dropDisabledSpecFields(pod.spec);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec = { ...spec, terminationGracePeriodSeconds: 1 };
  return spec === pod.spec ? pod : { ...pod, spec };
}

/** kubernetes pkg/registry/core/pod applyAppArmorVersionSkew: annotations of old become fields. */
function withAppArmorFields(pod: Pod): Pod {
  const { spec, metadata } = pod;
  if (!spec || !Object.keys(metadata.annotations ?? {}).some((key) => key.startsWith(APP_ARMOR))) return pod;
  const apply = (container: Container): Container => {
    const value = metadata.annotations?.[APP_ARMOR + container.name];
    if (value === undefined || container.securityContext?.appArmorProfile) return container;
    const appArmorProfile = value.startsWith('localhost/')
      ? { type: 'Localhost', localhostProfile: value.slice('localhost/'.length) }
      : { type: value === 'unconfined' ? 'Unconfined' : 'RuntimeDefault' };
    return { ...container, securityContext: { ...container.securityContext, appArmorProfile } };
  };
  return {
    ...pod,
    spec: {
      ...spec,
      containers: spec.containers.map(apply),
      ...(spec.initContainers ? { initContainers: spec.initContainers.map(apply) } : {}),
    },
  };
}
