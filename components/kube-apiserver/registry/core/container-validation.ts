import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  PodSpec,
  Volume,
  VolumeDevice,
  VolumeMount,
} from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isValidPortName, isValidPortNumber } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notFound, notSupported, required } from '../../../../src/api/validation/field.ts';
import { dnsLabel, localDescendingPath, oneOf, report, requiredOneOf } from '../validation.ts';
import { validateEnv, validateEnvFrom } from './env-validation.ts';
import { validateProbes } from './probe-validation.ts';
import { resourceRequirements } from './resources-validation.ts';
import { validateSecurityContext } from './security-context-validation.ts';

type AnyContainer = Container | EphemeralContainer;

/** What a container is validated with. */
export interface ContainerContext {
  readonly path: string;
  readonly spec: PodSpec;
  /** The volumes that can be mounted. */
  readonly volumes: readonly Volume[];
}

/** kubernetes pkg/apis/core/validation validateContainers, validateInitContainers: names are unique across both. */
export function validateContainers(errors: FieldError[], { path, spec, volumes }: ContainerContext): void {
  const { containers, initContainers } = spec;
  if (!containers?.length) errors.push(required(`${path}.containers`));
  const names = new Set<string>();
  for (const [index, container] of (containers ?? []).entries()) {
    const at = `${path}.containers[${index}]`;
    validateContainer(errors, container, { path: at, spec, volumes });
    // Two without a name are twins too.
    if (names.has(container.name ?? '')) errors.push(duplicate(`${at}.name`, container.name ?? ''));
    names.add(container.name ?? '');
    validateProbes(errors, container, { path: at, grace: spec.terminationGracePeriodSeconds });
    if (container.restartPolicy !== undefined) errors.push(forbidden(`${at}.restartPolicy`, 'may not be set for non-init containers'));
  }
  hostPortConflicts(errors, `${path}.containers`, containers ?? []);
  for (const [index, container] of (initContainers ?? []).entries()) {
    const at = `${path}.initContainers[${index}]`;
    validateContainer(errors, container, { path: at, spec, volumes });
    if (names.has(container.name ?? '')) errors.push(duplicate(`${at}.name`, container.name ?? ''));
    else if (container.name) names.add(container.name);
    // They run one after the other; the real one always speaks of the first.
    hostPortConflicts(errors, `${path}.initContainers`, [container]);
    validateInitContainer(errors, container, { path: at, spec });
  }
}

function validateInitContainer(errors: FieldError[], container: Container, { path, spec }: { path: string; spec: PodSpec }): void {
  oneOf(errors, { path: `${path}.restartPolicy`, value: container.restartPolicy }, ['Always']);
  if (container.restartPolicy === 'Always') {
    validateProbes(errors, container, { path, grace: spec.terminationGracePeriodSeconds });
    return;
  }
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    if (container[name] !== undefined)
      errors.push(forbidden(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always'));
  }
}

/** kubernetes pkg/apis/core/validation validateContainerCommon */
export function validateContainer(errors: FieldError[], container: AnyContainer, { path, spec, volumes }: ContainerContext): void {
  const { name, image } = container;
  if (!name) errors.push(required(`${path}.name`));
  else dnsLabel(errors, `${path}.name`, name);
  if (!image) errors.push(required(`${path}.image`));
  requiredOneOf(errors, { path: `${path}.terminationMessagePolicy`, value: container.terminationMessagePolicy }, [
    'File',
    'FallbackToLogsOnError',
  ]);
  if (container.ports) validatePorts(errors, `${path}.ports`, container.ports);
  validateEnv(errors, `${path}.env`, container.env);
  validateEnvFrom(errors, `${path}.envFrom`, container.envFrom);
  if (container.volumeMounts) validateMounts(errors, `${path}.volumeMounts`, { container, volumes });
  if (container.volumeDevices) validateDevices(errors, `${path}.volumeDevices`, { container, volumes, hostUsers: spec.hostUsers });
  requiredOneOf(errors, { path: `${path}.imagePullPolicy`, value: container.imagePullPolicy }, ['Always', 'IfNotPresent', 'Never']);
  resourceRequirements(errors, container.resources, { path: `${path}.resources`, claims: spec.resourceClaims });
  for (const [index, { resourceName, restartPolicy }] of (container.resizePolicy ?? []).entries()) {
    requiredOneOf(errors, { path: `${path}.resizePolicy[${index}].resourceName`, value: resourceName }, ['cpu', 'memory']);
    requiredOneOf(errors, { path: `${path}.resizePolicy[${index}].restartPolicy`, value: restartPolicy }, [
      'NotRequired',
      'RestartContainer',
    ]);
  }
  if (container.securityContext)
    validateSecurityContext(errors, container.securityContext, { path: `${path}.securityContext`, hostUsers: spec.hostUsers ?? true });
}

/** kubernetes pkg/apis/core/validation validateContainerPorts */
function validatePorts(errors: FieldError[], path: string, ports: readonly ContainerPort[]): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = `${path}[${index}]`;
    if (port.name) {
      const messages = isValidPortName(port.name);
      if (messages.length > 0) report(errors, { path: `${at}.name`, value: port.name }, messages);
      else if (names.has(port.name)) errors.push(duplicate(`${at}.name`, port.name));
      else names.add(port.name);
    }
    if (!port.containerPort) errors.push(required(`${at}.containerPort`));
    else report(errors, { path: `${at}.containerPort`, value: port.containerPort }, isValidPortNumber(port.containerPort));
    if (port.hostPort) report(errors, { path: `${at}.hostPort`, value: port.hostPort }, isValidPortNumber(port.hostPort));
    requiredOneOf(errors, { path: `${at}.protocol`, value: port.protocol }, ['SCTP', 'TCP', 'UDP']);
  }
}

/** kubernetes pkg/apis/core/validation validateContainersOnlyForPod: what pods are asked for and templates are not. */
export function validateContainersOnlyForPod(errors: FieldError[], path: string, { containers, initContainers = [] }: PodSpec): void {
  for (const [index, { image }] of containers.entries()) unpaddedImage(errors, `${path}.containers[${index}].image`, image);
  for (const [index, { image }] of initContainers.entries()) unpaddedImage(errors, `${path}.initContainers[${index}].image`, image);
}

export function unpaddedImage(errors: FieldError[], path: string, image: string | undefined): void {
  if (image && image.trim() !== image) errors.push(invalid(path, image, 'must not have leading or trailing whitespace'));
}

/** kubernetes pkg/apis/core/validation checkHostPortConflicts */
function hostPortConflicts(errors: FieldError[], path: string, containers: readonly Container[]): void {
  let seen: Set<string> | undefined;
  for (const [index, { ports }] of containers.entries()) {
    for (const [position, { hostPort, hostIP, protocol }] of (ports ?? []).entries()) {
      if (!hostPort) continue;
      seen ??= new Set();
      const key = `${protocol}/${hostIP ?? ''}/${hostPort}`;
      if (seen.has(key)) errors.push(duplicate(`${path}[${index}].ports[${position}].hostPort`, key));
      seen.add(key);
    }
  }
}

interface Mounts {
  readonly container: AnyContainer;
  readonly volumes: readonly Volume[];
}

/** kubernetes pkg/apis/core/validation ValidateVolumeMounts */
function validateMounts(errors: FieldError[], path: string, { container, volumes }: Mounts): void {
  const paths = new Set<string>();
  const devices = container.volumeDevices ?? [];
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (!mount.name) errors.push(required(`${at}.name`));
    if (!volumes.some(({ name }) => name === mount.name)) errors.push(notFound(`${at}.name`, mount.name ?? ''));
    const mountPath = mount.mountPath ?? '';
    if (!mountPath) errors.push(required(`${at}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (devices.some(({ name }) => name === mount.name))
      errors.push(invalid(`${at}.name`, mount.name, 'must not already exist in volumeDevices'));
    if (devices.some(({ devicePath }) => devicePath === mountPath))
      errors.push(invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'));
    validateMountOptions(errors, mount, { path, at, container });
  }
}

/** The real one names the list, not the entry, for some of these. */
function validateMountOptions(
  errors: FieldError[],
  mount: VolumeMount,
  { path, at, container }: { path: string; at: string; container: AnyContainer },
): void {
  if (mount.subPath) localDescendingPath(errors, `${path}.subPath`, mount.subPath);
  if (mount.subPathExpr) {
    if (mount.subPath) errors.push(invalid(`${at}.subPathExpr`, mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
    localDescendingPath(errors, `${path}.subPathExpr`, mount.subPathExpr);
  }
  if (mount.mountPropagation !== undefined) {
    oneOf(errors, { path: `${path}.mountPropagation`, value: mount.mountPropagation }, ['Bidirectional', 'HostToContainer', 'None']);
    if (mount.mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
      errors.push(forbidden(`${path}.mountPropagation`, 'Bidirectional mount propagation is available only to privileged containers'));
    }
  }
  if (mount.recursiveReadOnly === undefined || mount.recursiveReadOnly === 'Disabled') return;
  if (mount.recursiveReadOnly !== 'Enabled' && mount.recursiveReadOnly !== 'IfPossible') {
    errors.push(notSupported(`${path}.recursiveReadOnly`, mount.recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible']));
    return;
  }
  if (!mount.readOnly) errors.push(forbidden(`${path}.recursiveReadOnly`, 'may only be specified when readOnly is true'));
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== 'None')
    errors.push(forbidden(`${path}.recursiveReadOnly`, 'may only be specified when mountPropagation is None or not specified'));
}

interface Devices extends Mounts {
  readonly hostUsers: boolean | undefined;
}

/** kubernetes pkg/apis/core/validation ValidateVolumeDevices */
function validateDevices(errors: FieldError[], path: string, { container, volumes, hostUsers }: Devices): void {
  const devices: readonly VolumeDevice[] = container.volumeDevices ?? [];
  const mounts = container.volumeMounts ?? [];
  if (devices.length > 0 && hostUsers === false) errors.push(forbidden(path, 'when `hostUsers` is false'));
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [index, { name, devicePath = '' }] of devices.entries()) {
    const at = `${path}[${index}]`;
    if (!name) errors.push(required(`${at}.name`));
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, 'must be unique'));
    const volume = volumes.find((candidate) => candidate.name === name);
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) {
      errors.push(invalid(`${at}.name`, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'));
    }
    if (!volume) errors.push(notFound(`${at}.name`, name ?? ''));
    if (!devicePath) errors.push(required(`${at}.devicePath`));
    if (paths.has(devicePath)) errors.push(invalid(`${at}.devicePath`, devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..')) errors.push(invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mounts.some((mount) => mount.name === name)) errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    if (mounts.some((mount) => mount.mountPath === devicePath))
      errors.push(invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'));
    if (name) names.add(name);
  }
}
