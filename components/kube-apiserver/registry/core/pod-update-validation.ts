import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { Container, EphemeralContainer, Pod, PodSpec, Toleration } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, required } from '../../../../src/api/validation/field.ts';
import { IMMUTABLE, report } from '../validation.ts';
import { unpaddedImage, validateContainersOnlyForPod } from './container-validation.ts';
import { validateEphemeralContainers } from './ephemeral-container-validation.ts';
import { podSpecDiff, structDiff } from './go-diff.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const UPDATE_ERROR =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** kubernetes pkg/apis/core/validation ValidatePodUpdate */
export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = [];
  if (pod.spec === old.spec) return errors;
  const spec = pod.spec ?? { containers: [] };
  const oldSpec = old.spec ?? { containers: [] };
  validatePodSpec(errors, spec, { path: 'spec', podName: pod.metadata.name ?? '' });
  validateContainersOnlyForPod(errors, 'spec', spec);
  mirrorAnnotation(errors, pod, old);
  validatePodAnnotations(errors, 'metadata.annotations', pod);
  const before = errors.length;
  if (spec.containers.length !== oldSpec.containers.length)
    errors.push(forbidden('spec.containers', 'pod updates may not add or remove containers'));
  if ((spec.initContainers ?? []).length !== (oldSpec.initContainers ?? []).length)
    errors.push(forbidden('spec.initContainers', 'pod updates may not add or remove containers'));
  if (errors.length > before) return errors;
  images(errors, 'spec.containers', spec.containers);
  images(errors, 'spec.initContainers', spec.initContainers ?? []);
  deadline(errors, spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds);
  tolerationsKept(errors, spec.tolerations ?? [], oldSpec.tolerations ?? []);
  gates(errors, spec, oldSpec);
  const munged = withAllowedChanges(errors, spec, oldSpec);
  if (!semanticDeepEqual(munged, oldSpec)) errors.push(forbidden('spec', `${UPDATE_ERROR}\n${podSpecDiff(oldSpec, munged)}`));
  return errors;
}

function mirrorAnnotation(errors: FieldError[], pod: Pod, old: Pod): void {
  const now = pod.metadata.annotations?.[MIRROR];
  const before = old.metadata.annotations?.[MIRROR];
  const path = `metadata.annotations[${MIRROR}]`;
  if (now === before) return;
  errors.push(
    forbidden(path, before === undefined ? 'may not add mirror pod annotation' : 'may not remove or update mirror pod annotation'),
  );
}

function images(errors: FieldError[], path: string, containers: readonly Container[]): void {
  for (const [index, { image }] of containers.entries()) {
    if (!image) errors.push(required(`${path}[${index}].image`));
    else unpaddedImage(errors, `${path}[${index}].image`, image);
  }
}

function deadline(errors: FieldError[], now: number | undefined, before: number | undefined): void {
  if (now !== undefined) {
    if (now < 0 || (before !== undefined && before < now)) {
      errors.push(
        invalid(
          'spec.activeDeadlineSeconds',
          now,
          now < 0 ? 'must be between 0 and 2147483647, inclusive' : 'must be less than or equal to previous value',
        ),
      );
    }
  } else if (before !== undefined)
    errors.push(invalid('spec.activeDeadlineSeconds', undefined, 'must not update from a positive integer to nil value'));
}

/** kubernetes pkg/apis/core/validation validateOnlyAddedTolerations */
function tolerationsKept(errors: FieldError[], now: readonly Toleration[], before: readonly Toleration[]): void {
  const bare = ({ tolerationSeconds: _, ...rest }: Toleration): Toleration => rest;
  const kept = before.every((old) => now.some((toleration) => semanticDeepEqual(bare(toleration), bare(old))));
  if (!kept) errors.push(forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'));
}

function gates(errors: FieldError[], spec: PodSpec, old: PodSpec): void {
  const known = new Set((old.schedulingGates ?? []).map(({ name }) => name));
  for (const [index, { name }] of (spec.schedulingGates ?? []).entries()) {
    if (!known.has(name))
      errors.push(forbidden(`spec.schedulingGates[${index}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`));
  }
}

/** The new spec with everything that may change set to what it was before. */
function withAllowedChanges(errors: FieldError[], spec: PodSpec, old: PodSpec): PodSpec {
  const munged: PodSpec = { ...spec };
  munged.containers = withOldImages(spec.containers, old.containers);
  if (spec.initContainers) munged.initContainers = withOldImages(spec.initContainers, old.initContainers ?? []);
  for (const name of ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'] as const) {
    delete munged[name];
    if (old[name] !== undefined) Object.assign(munged, { [name]: old[name] });
  }
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1)
    munged.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds ?? 1;
  if (old.schedulingGates?.length) allowGatedChanges(errors, munged, old);
  return munged;
}

function withOldImages(containers: readonly Container[], old: readonly Container[]): Container[] {
  return containers.map((container, index) => {
    const { image: _, ...rest } = container;
    const image = old[index]?.image;
    return image === undefined ? rest : { ...rest, image };
  });
}

/** A gated pod's placement may be narrowed: kubernetes pkg/apis/core/validation validateNodeAffinityMutation and its neighbours. */
function allowGatedChanges(errors: FieldError[], munged: PodSpec, old: PodSpec): void {
  if (!semanticDeepEqual(munged.nodeSelector, old.nodeSelector)) {
    const kept = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => munged.nodeSelector?.[key] === value);
    if (!kept)
      errors.push(
        invalid('spec.nodeSelector', munged.nodeSelector, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'),
      );
    delete munged.nodeSelector;
    if (old.nodeSelector) munged.nodeSelector = old.nodeSelector;
  }
  const now = munged.affinity?.nodeAffinity;
  const before = old.affinity?.nodeAffinity;
  if (semanticDeepEqual(now, before)) return;
  nodeAffinityNarrowed(errors, now, before);
  if (old.affinity === undefined && munged.affinity && !munged.affinity.podAffinity && !munged.affinity.podAntiAffinity)
    delete munged.affinity;
  else {
    const { nodeAffinity: _, ...rest } = munged.affinity ?? {};
    munged.affinity = before ? { ...rest, nodeAffinity: before } : rest;
  }
}

type NodeAffinity = NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>;

function nodeAffinityNarrowed(errors: FieldError[], now: NodeAffinity | undefined, before: NodeAffinity | undefined): void {
  const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const oldTerms = before?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const terms = now?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (oldTerms.length === 0) return;
  if (!terms || (oldTerms.length > 0 && terms.length !== oldTerms.length)) {
    errors.push(invalid(path, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'));
    return;
  }
  for (const [index, oldTerm] of oldTerms.entries()) {
    const term = terms[index] ?? {};
    for (const name of ['matchExpressions', 'matchFields'] as const) {
      const missing = (oldTerm[name] ?? []).some((expression) => !(term[name] ?? []).some((other) => semanticDeepEqual(other, expression)));
      if (missing) {
        errors.push(invalid(`${path}[${index}]`, term, 'only additions are allowed (no mutations or deletions)'));
        break;
      }
    }
  }
}

/** kubernetes pkg/apis/core/validation ValidatePodStatusUpdate */
export function validatePodStatusUpdate(pod: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = [];
  const { status = {}, spec } = pod;
  if (pod.spec?.nodeName !== old.spec?.nodeName) errors.push(forbidden('status.nodeName', 'may not be changed directly'));
  if (status.nominatedNodeName)
    report(errors, { path: 'status.nominatedNodeName', value: status.nominatedNodeName }, isDNS1123Subdomain(status.nominatedNodeName));
  if (old.status?.qosClass && status.qosClass !== old.status.qosClass)
    errors.push(invalid('status.qosClass', status.qosClass ?? '', IMMUTABLE));
  if (spec?.restartPolicy === 'Always') return errors;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name);
  for (const [name, statuses] of [
    ['containerStatuses', status.containerStatuses],
    ['initContainerStatuses', status.initContainerStatuses],
  ] as const) {
    const before = (old.status?.[name] ?? []).map((one) => (sidecars.includes(one.name) ? undefined : one));
    restartKept(errors, `status.${name}`, { statuses: statuses ?? [], old: before, policy: spec?.restartPolicy });
  }
  return errors;
}

type Statuses = NonNullable<NonNullable<Pod['status']>['containerStatuses']>;

/** kubernetes pkg/apis/core/validation ValidateContainerStateTransition, ValidateInitContainerStateTransition. Of `old` those are missing that may restart. */
function restartKept(
  errors: FieldError[],
  path: string,
  { statuses, old, policy }: { statuses: Statuses; old: readonly (Statuses[number] | undefined)[]; policy: string | undefined },
): void {
  for (const [index, before] of old.entries()) {
    const terminated = before?.state?.terminated;
    if (!terminated || (terminated.exitCode !== 0 && policy === 'OnFailure')) continue;
    const now = statuses.find(({ name }) => name === before.name);
    if (now && !now.state?.terminated) errors.push(forbidden(`${path}[${index}].state`, 'may not be transitioned to non-terminated state'));
  }
}

/** kubernetes pkg/apis/core/validation ValidatePodEphemeralContainersUpdate */
export function validateEphemeralContainersUpdate(pod: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = [];
  const path = 'spec.ephemeralContainers';
  const spec = pod.spec ?? { containers: [] };
  validateEphemeralContainers(errors, { path, spec, volumes: spec.volumes ?? [] });
  keepsExisting(errors, path, { now: spec.ephemeralContainers ?? [], before: old.spec?.ephemeralContainers ?? [] });
  return errors;
}

function keepsExisting(
  errors: FieldError[],
  path: string,
  { now, before }: { now: readonly EphemeralContainer[]; before: readonly EphemeralContainer[] },
): void {
  for (const old of before) {
    const kept = now.find(({ name }) => name === old.name);
    if (!kept) errors.push(forbidden(path, `existing ephemeral containers ${JSON.stringify(old.name)} may not be removed\n`));
    else if (!semanticDeepEqual(kept, old))
      errors.push(
        forbidden(
          path,
          `existing ephemeral containers ${JSON.stringify(old.name)} may not be changed\n${structDiff('EphemeralContainer', old, kept)}`,
        ),
      );
  }
}
