import type { Container, Volume } from '../../../../src/api/kinds/core-v1.ts';
import { type Check, containersOf, containersText, type PodParts, quoted, settersText, sortedSet } from './finding.ts';

const VOLUME_TYPES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

const isWindows = ({ spec }: PodParts): boolean => spec.os?.name === 'windows';
const names = (containers: readonly Container[]): string[] => containers.map(({ name }) => name);

const allowPrivilegeEscalation: Check = (pod) => {
  if (isWindows(pod)) return undefined;
  const bad = names(containersOf(pod).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false));
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

const capabilities: Check = (pod) => {
  if (isWindows(pod)) return undefined;
  const containers = containersOf(pod);
  const extra = ({ securityContext }: Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((capability) => capability !== 'NET_BIND_SERVICE');
  const keeping = names(containers.filter(({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL')));
  const adding = containers.filter((container) => extra(container).length > 0);
  const details: string[] = [];
  if (keeping.length > 0) details.push(`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    details.push(
      `${containersText(names(adding))} must not include ${quoted(sortedSet(adding.flatMap(extra)))} in securityContext.capabilities.add`,
    );
  }
  return details.length > 0 ? { reason: 'unrestricted capabilities', detail: details.join('; ') } : undefined;
};

/** The source of a volume: the one key besides its name. */
function typeOf(volume: Volume): string {
  return Object.keys(volume).find((key) => key !== 'name') ?? 'emptyDir';
}

const volumeTypes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => !VOLUME_TYPES.has(typeOf(volume)));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map(typeOf));
  const subject = `${bad.length === 1 ? 'volume' : 'volumes'} ${quoted(bad.map(({ name }) => name))}`;
  return {
    reason: 'restricted volume types',
    detail: `${subject} ${bad.length === 1 ? 'uses' : 'use'} restricted volume ${types.length === 1 ? 'type' : 'types'} ${quoted(types)}`,
  };
};

const runAsNonRoot: Check = (pod) => {
  const podSetting = pod.spec.securityContext?.runAsNonRoot;
  const containers = containersOf(pod);
  const explicit = names(containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === false));
  if (podSetting === false || explicit.length > 0) {
    return {
      reason: 'runAsNonRoot != true',
      detail: `${settersText(podSetting === false, explicit)} must not set securityContext.runAsNonRoot=false`,
    };
  }
  const silent = podSetting === true ? [] : names(containers.filter(({ securityContext }) => securityContext?.runAsNonRoot !== true));
  if (silent.length === 0) return undefined;
  return { reason: 'runAsNonRoot != true', detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
};

const runAsUser: Check = (pod) => {
  const podRoot = pod.spec.securityContext?.runAsUser === 0;
  const bad = names(containersOf(pod).filter(({ securityContext }) => securityContext?.runAsUser === 0));
  if (!podRoot && bad.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${settersText(podRoot, bad)} must not set runAsUser=0` };
};

const seccomp: Check = (pod) => {
  if (isWindows(pod)) return undefined;
  const good = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';
  const podType = pod.spec.securityContext?.seccompProfile?.type;
  const containers = containersOf(pod);
  const podBad = podType !== undefined && !good(podType);
  const bad = containers.filter(
    ({ securityContext }) => securityContext?.seccompProfile?.type !== undefined && !good(securityContext.seccompProfile.type),
  );
  if (podBad || bad.length > 0) {
    const types = sortedSet([
      ...(podBad ? [podType] : []),
      ...bad.map(({ securityContext }) => securityContext?.seccompProfile?.type ?? ''),
    ]);
    return {
      reason: 'seccompProfile',
      detail: `${settersText(podBad, names(bad))} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
    };
  }
  const silent =
    podType === undefined ? names(containers.filter(({ securityContext }) => securityContext?.seccompProfile?.type === undefined)) : [];
  if (silent.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

/** The checks that the restricted level adds, or puts in the place of those of baseline. */
export const RESTRICTED = { allowPrivilegeEscalation, capabilities, volumeTypes, runAsNonRoot, runAsUser, seccomp };
