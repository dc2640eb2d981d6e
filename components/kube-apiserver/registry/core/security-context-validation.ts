import type { AppArmorProfile, PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain, isInRange } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, required } from '../../../../src/api/validation/field.ts';
import { localDescendingPath, oneOf, report, requiredOneOf } from '../validation.ts';

const MAX_ID = 2_147_483_647;

function id(errors: FieldError[], path: string, value: number | undefined): void {
  if (value !== undefined) report(errors, { path, value }, isInRange(value, 0, MAX_ID));
}

/** kubernetes pkg/apis/core/validation ValidateSecurityContext */
export function validateSecurityContext(
  errors: FieldError[],
  context: SecurityContext,
  { path, hostUsers }: { path: string; hostUsers: boolean },
): void {
  id(errors, `${path}.runAsUser`, context.runAsUser);
  id(errors, `${path}.runAsGroup`, context.runAsGroup);
  if (context.procMount !== undefined) {
    oneOf(errors, { path: `${path}.procMount`, value: context.procMount }, ['Default', 'Unmasked']);
    if (context.procMount === 'Unmasked' && hostUsers)
      errors.push(invalid(`${path}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`'));
  }
  seccomp(errors, `${path}.seccompProfile`, context.seccompProfile);
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged) errors.push(invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN'))
      errors.push(invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
  }
  windows(errors, `${path}.windowsOptions`, context.windowsOptions);
  appArmor(errors, `${path}.appArmorProfile`, context.appArmorProfile);
}

/** kubernetes pkg/apis/core/validation validateSeccompProfileField */
function seccomp(errors: FieldError[], path: string, profile: SeccompProfile | undefined): void {
  if (!profile) return;
  requiredOneOf(errors, { path: `${path}.type`, value: profile.type }, ['Localhost', 'RuntimeDefault', 'Unconfined']);
  const { localhostProfile } = profile;
  if (profile.type === 'Localhost') {
    if (localhostProfile === undefined) errors.push(required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost'));
    else localDescendingPath(errors, `${path}.localhostProfile`, localhostProfile);
  } else if (localhostProfile !== undefined)
    errors.push(invalid(`${path}.localhostProfile`, profile, 'can only be set when seccomp type is Localhost'));
}

/** kubernetes pkg/apis/core/validation ValidateAppArmorProfileField */
function appArmor(errors: FieldError[], path: string, profile: AppArmorProfile | undefined): void {
  if (!profile) return;
  const { localhostProfile } = profile;
  if (!profile.type) errors.push(required(`${path}.type`, 'type is required when appArmorProfile is set'));
  else oneOf(errors, { path: `${path}.type`, value: profile.type }, ['Localhost', 'RuntimeDefault', 'Unconfined']);
  if (profile.type === 'Localhost') {
    const trimmed = localhostProfile?.trim();
    if (trimmed !== localhostProfile) errors.push(invalid(`${path}.localhostProfile`, trimmed, 'must not be padded with whitespace'));
    else if (!trimmed) errors.push(required(`${path}.localhostProfile`, 'must be set when AppArmor type is Localhost'));
  } else if (localhostProfile !== undefined && (profile.type === 'RuntimeDefault' || profile.type === 'Unconfined'))
    errors.push(invalid(`${path}.localhostProfile`, localhostProfile, 'can only be set when AppArmor type is Localhost'));
}

function windows(errors: FieldError[], path: string, options: PodSecurityContext['windowsOptions']): void {
  if (!options) return;
  const { runAsUserName, gmsaCredentialSpec, gmsaCredentialSpecName: name } = options;
  if (name !== undefined) report(errors, { path: `${path}.gmsaCredentialSpecName`, value: name }, isDNS1123Subdomain(name));
  if (gmsaCredentialSpec === '') errors.push(invalid(`${path}.gmsaCredentialSpec`, '', 'gmsaCredentialSpec cannot be an empty string'));
  if (runAsUserName === '') errors.push(invalid(`${path}.runAsUserName`, '', 'runAsUserName cannot be an empty string'));
}

const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const SYSCTL_ERROR =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const IPC_SYSCTLS = /^(?:kernel\.shm|kernel\.msg|kernel\.sem$|fs\.mqueue\.)/;

/** kubernetes pkg/apis/core/validation validatePodSpecSecurityContext */
export function validatePodSecurityContext(errors: FieldError[], path: string, spec: PodSpec): void {
  const context = spec.securityContext;
  const at = path.slice(0, path.lastIndexOf('.'));
  if (spec.hostNetwork) validateHostNetwork(errors, `${at}.containers`, spec);
  hostNamespaces(errors, at, spec);
  if (!context) return;
  id(errors, `${path}.fsGroup`, context.fsGroup);
  id(errors, `${path}.runAsUser`, context.runAsUser);
  id(errors, `${path}.runAsGroup`, context.runAsGroup);
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) id(errors, `${path}.supplementalGroups[${index}]`, group);
  if (spec.shareProcessNamespace && spec.hostPID)
    errors.push(invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  if (context.sysctls) sysctls(errors, `${path}.sysctls`, spec);
  oneOf(errors, { path: `${path}.fsGroupChangePolicy`, value: context.fsGroupChangePolicy }, ['Always', 'OnRootMismatch']);
  oneOf(errors, { path: `${path}.seLinuxChangePolicy`, value: context.seLinuxChangePolicy }, ['MountOption', 'Recursive']);
  oneOf(errors, { path: `${path}.supplementalGroupsPolicy`, value: context.supplementalGroupsPolicy }, ['Merge', 'Strict']);
  seccomp(errors, `${path}.seccompProfile`, context.seccompProfile);
  windows(errors, `${path}.windowsOptions`, context.windowsOptions);
  appArmor(errors, `${path}.appArmorProfile`, context.appArmorProfile);
}

/** kubernetes pkg/apis/core/validation validateHostNetwork: what init containers listen on is not looked at. */
function validateHostNetwork(errors: FieldError[], path: string, { containers }: PodSpec): void {
  for (const [index, { ports }] of (containers ?? []).entries()) {
    for (const [position, { hostPort, containerPort }] of (ports ?? []).entries())
      if (hostPort && hostPort !== containerPort)
        errors.push(
          invalid(`${path}[${index}].ports[${position}].hostPort`, hostPort, 'must match `containerPort` when `hostNetwork` is true'),
        );
  }
}

/** kubernetes pkg/apis/core/validation validateHostUsers */
function hostNamespaces(errors: FieldError[], path: string, { hostUsers, hostNetwork, hostPID, hostIPC }: PodSpec): void {
  if (hostUsers !== false) return;
  const text = 'when `hostUsers` is false';
  if (hostNetwork) errors.push(forbidden(`${path}.hostNetwork`, text));
  if (hostPID) errors.push(forbidden(`${path}.HostPID`, text));
  if (hostIPC) errors.push(forbidden(`${path}.HostIPC`, text));
}

/** kubernetes pkg/apis/core/validation validateSysctls */
function sysctls(errors: FieldError[], path: string, { securityContext, hostNetwork, hostIPC }: PodSpec): void {
  const seen = new Set<string>();
  for (const [index, { name }] of (securityContext?.sysctls ?? []).entries()) {
    const at = `${path}[${index}].name`;
    if (!name) errors.push(required(at));
    else if (name.length > 253 || !SYSCTL.test(name)) errors.push(invalid(at, name, SYSCTL_ERROR));
    else if (seen.has(name)) errors.push(duplicate(at, name));
    const dotted = (name ?? '').replaceAll('/', '.');
    if (hostNetwork && dotted.startsWith('net.')) errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    if (hostIPC && IPC_SYSCTLS.test(dotted)) errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
    seen.add(name);
  }
}
