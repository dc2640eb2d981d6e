import type { Container, PodSpec, SecurityContext } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid } from '../../../../src/api/validation/field.ts';
import { requiredOneOf } from '../validation.ts';

const WINDOWS = 'cannot be set for a windows pod';
const LINUX = 'windows options cannot be set for a linux pod';

/** Fields of a pod's security context that mean nothing to Windows. */
const POD_CONTEXT = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
] as const;

/** The same of a container's. */
const CONTAINER_CONTEXT = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** kubernetes pkg/apis/core/validation validateOS, validateWindows, validateLinux */
export function validateOs(errors: FieldError[], path: string, spec: PodSpec): void {
  if (!spec.os) return;
  requiredOneOf(errors, { path: `${path}.os.name`, value: spec.os.name }, ['linux', 'windows']);
  if (spec.os.name === 'linux') validateLinux(errors, path, spec);
  if (spec.os.name === 'windows') validateWindows(errors, path, spec);
}

function validateLinux(errors: FieldError[], path: string, spec: PodSpec): void {
  if (spec.securityContext?.windowsOptions) errors.push(forbidden(`${path}.securityContext.windowsOptions`, LINUX));
  for (const [at, { securityContext }] of containersOf(path, spec))
    if (securityContext?.windowsOptions) errors.push(forbidden(`${at}.securityContext.windowsOptions`, LINUX));
}

function validateWindows(errors: FieldError[], path: string, spec: PodSpec): void {
  if (spec.hostUsers !== undefined) errors.push(forbidden(`${path}.hostUsers`, WINDOWS));
  for (const name of ['hostPID', 'hostIPC'] as const) if (spec[name]) errors.push(forbidden(`${path}.${name}`, WINDOWS));
  if (spec.shareProcessNamespace !== undefined) errors.push(forbidden(`${path}.shareProcessNamespace`, WINDOWS));
  const context = spec.securityContext ?? {};
  for (const name of POD_CONTEXT) if (context[name] !== undefined) errors.push(forbidden(`${path}.securityContext.${name}`, WINDOWS));
  for (const [at, { securityContext }] of containersOf(path, spec)) {
    for (const name of CONTAINER_CONTEXT)
      if (securityContext?.[name] !== undefined) errors.push(forbidden(`${at}.securityContext.${name}`, WINDOWS));
  }
}

type AnyContainer = Pick<Container, 'name'> & { readonly securityContext?: SecurityContext };

/** Every container with its path: kubernetes pkg/api/pod VisitContainersWithPath */
function containersOf(path: string, spec: PodSpec): [string, AnyContainer][] {
  const lists: [string, readonly AnyContainer[] | undefined][] = [
    ['initContainers', spec.initContainers],
    ['containers', spec.containers],
    ['ephemeralContainers', spec.ephemeralContainers],
  ];
  return lists.flatMap(([name, list]) =>
    (list ?? []).map((container, index): [string, AnyContainer] => [`${path}.${name}[${index}]`, container]),
  );
}

/** kubernetes pkg/apis/core/validation validateWindowsHostProcessPod: all of its containers or none, on the node's network. */
export function validateWindowsHostProcess(errors: FieldError[], path: string, spec: PodSpec): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  if (ofPod === undefined && !spec.containers?.some(hasWindowsOptions) && !spec.initContainers?.some(hasWindowsOptions)) return;
  const containers = containersOf(path, spec);
  let hostProcesses = 0;
  for (const [at, { securityContext }] of containers) {
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && own !== ofPod) {
      const text = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, text));
    }
    if (own ?? ofPod) hostProcesses++;
  }
  if (hostProcesses === 0) return;
  if (hostProcesses !== containers.length) {
    errors.push(invalid(path, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers'));
  }
  if (!spec.hostNetwork)
    errors.push(invalid(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers'));
}

function hasWindowsOptions({ securityContext }: AnyContainer): boolean {
  return securityContext?.windowsOptions !== undefined;
}
