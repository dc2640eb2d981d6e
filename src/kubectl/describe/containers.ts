import type { Container, ContainerState, ContainerStatus, EnvVar, Pod, Probe } from '../../api/kinds/core-v1.ts';
import { type DescribeWriter, longTime } from './describe-writer.ts';

interface ContainerGroup {
  readonly label: string;
  readonly containers: readonly Container[] | undefined;
  /** Absent in pod templates. */
  readonly statuses?: readonly ContainerStatus[] | undefined;
  /** Resolves fields that variables refer to; absent in pod templates. */
  readonly pod?: Pod;
  /** 1 in pod templates, whose names stand a blank deeper. */
  readonly level: number;
}

/** kubectl pkg/describe describeContainers */
export function describeContainers(writer: DescribeWriter, group: ContainerGroup): void {
  const { label, containers = [], statuses, level, pod } = group;
  if (!containers.length) {
    writer.line(level, `${label}: <none>`);
    return;
  }
  writer.line(level, `${label}:`);
  for (const container of containers) {
    const status = statuses?.find(({ name }) => name === container.name);
    writer.line(1, `${level ? ' ' : ''}${container.name}:`);
    describeBasics(writer, 2, { container, status });
    if (status) describeStatus(writer, 2, status);
    describeResources(writer, 2, container);
    describeProbes(writer, 2, container);
    describeEnvironment(writer, 2, { container, pod });
    describeMounts(writer, 2, container);
  }
}

function describeBasics(
  writer: DescribeWriter,
  level: number,
  { container, status }: { container: Container; status: ContainerStatus | undefined },
): void {
  if (status) writer.field(level, 'Container ID', status.containerID);
  writer.field(level, 'Image', container.image);
  if (status) writer.field(level, 'Image ID', status.imageID);
  const ports = (container.ports ?? []).map(
    ({ containerPort, protocol = 'TCP', name }) => `${containerPort}/${protocol}${name ? ` (${name})` : ''}`,
  );
  const hostPorts = (container.ports ?? []).map(
    ({ hostPort = 0, protocol = 'TCP', name }) => `${hostPort}/${protocol}${name ? ` (${name})` : ''}`,
  );
  writer.field(level, ports.length > 1 ? 'Ports' : 'Port', ports.join(', ') || '<none>');
  writer.field(level, hostPorts.length > 1 ? 'Host Ports' : 'Host Port', hostPorts.join(', ') || '<none>');
  if (container.securityContext?.seccompProfile) writer.field(level, 'SeccompProfile', container.securityContext.seccompProfile.type);
  for (const [label, words] of [
    ['Command', container.command],
    ['Args', container.args],
  ] as const) {
    if (!words?.length) continue;
    writer.line(level, `${label}:`);
    for (const word of words) for (const part of word.split('\n')) writer.line(level + 1, part);
  }
}

function describeStatus(writer: DescribeWriter, level: number, status: ContainerStatus): void {
  describeState(writer, level, { label: 'State', state: status.state });
  if (status.lastState?.terminated) describeState(writer, level, { label: 'Last State', state: status.lastState });
  writer.field(level, 'Ready', status.ready ? 'True' : 'False');
  writer.field(level, 'Restart Count', status.restartCount ?? 0);
}

function describeState(
  writer: DescribeWriter,
  level: number,
  { label, state }: { readonly label: string; readonly state: ContainerState | undefined },
): void {
  const { running, terminated, waiting } = state ?? {};
  if (running) {
    writer.field(level, label, 'Running');
    writer.field(level + 1, 'Started', longTime(running.startedAt));
  } else if (terminated) {
    writer.field(level, label, 'Terminated');
    if (terminated.reason) writer.field(level + 1, 'Reason', terminated.reason);
    if (terminated.message) writer.field(level + 1, 'Message', terminated.message);
    writer.field(level + 1, 'Exit Code', terminated.exitCode);
    if (terminated.signal) writer.field(level + 1, 'Signal', terminated.signal);
    writer.field(level + 1, 'Started', longTime(terminated.startedAt));
    writer.field(level + 1, 'Finished', longTime(terminated.finishedAt));
  } else {
    writer.field(level, label, 'Waiting');
    if (waiting?.reason) writer.field(level + 1, 'Reason', waiting.reason);
  }
}

function describeResources(writer: DescribeWriter, level: number, { resources }: Container): void {
  for (const [label, list] of [
    ['Limits', resources?.limits],
    ['Requests', resources?.requests],
  ] as const) {
    const entries = Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    if (!entries.length) continue;
    writer.line(level, `${label}:`);
    for (const [name, quantity] of entries) writer.field(level + 1, name, quantity);
  }
}

function describeProbes(writer: DescribeWriter, level: number, container: Container): void {
  if (container.livenessProbe) writer.field(level, 'Liveness', probeText(container.livenessProbe));
  if (container.readinessProbe) writer.field(level, 'Readiness', probeText(container.readinessProbe));
  if (container.startupProbe) writer.field(level, 'Startup', probeText(container.startupProbe));
}

/** kubectl pkg/describe DescribeProbe */
function probeText(probe: Probe): string {
  const times = `delay=${probe.initialDelaySeconds ?? 0}s timeout=${probe.timeoutSeconds ?? 1}s period=${probe.periodSeconds ?? 10}s #success=${probe.successThreshold ?? 1} #failure=${probe.failureThreshold ?? 3}`;
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec) return `exec [${(exec.command ?? []).join(' ')}] ${times}`;
  if (httpGet)
    return `http-get ${(httpGet.scheme ?? 'HTTP').toLowerCase()}://${httpGet.host ?? ''}:${httpGet.port}${httpGet.path ?? ''} ${times}`;
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port} ${times}`;
  return grpc ? `grpc <pod>:${grpc.port} ${grpc.service ?? ''} ${times}` : `unknown ${times}`;
}

function describeEnvironment(
  writer: DescribeWriter,
  level: number,
  { container, pod }: { container: Container; pod: Pod | undefined },
): void {
  if (container.envFrom?.length) {
    writer.line(level, 'Environment Variables from:');
    for (const { configMapRef, secretRef, prefix } of container.envFrom) {
      const { name, optional } = configMapRef ?? secretRef ?? {};
      writer.line(
        level + 1,
        `${name}\t${configMapRef ? 'ConfigMap' : 'Secret'}${prefix ? ` with prefix '${prefix}'` : ''}\tOptional: ${optional ?? false}`,
      );
    }
  }
  writer.line(level, container.env?.length ? 'Environment:' : 'Environment:\t<none>');
  for (const variable of container.env ?? []) writer.line(level + 1, `${variable.name}:\t${variableText(variable, container, pod)}`);
}

function variableText({ value = '', valueFrom }: EnvVar, container: Container, pod: Pod | undefined): string {
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom ?? {};
  if (fieldRef) return `${pod ? fieldOf(pod, fieldRef.fieldPath) : ''} (${fieldRef.apiVersion ?? 'v1'}:${fieldRef.fieldPath})`;
  if (resourceFieldRef) {
    const [list, name = ''] = resourceFieldRef.resource.split('.');
    const quantity = (list === 'limits' ? container.resources?.limits : container.resources?.requests)?.[name];
    return `${quantity ?? (list === 'limits' ? 'node allocatable' : '0')} (${resourceFieldRef.resource})`;
  }
  if (secretKeyRef)
    return `<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name}'>\tOptional: ${secretKeyRef.optional ?? false}`;
  if (configMapKeyRef)
    return `<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name}'>\tOptional: ${configMapKeyRef.optional ?? false}`;
  return value;
}

/** What kubectl itself can resolve: metadata, but nothing of spec and status. kubectl pkg/describe EnvValueRetriever */
function fieldOf({ metadata }: Pod, path: string): string {
  const found: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
  };
  const key = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  return key ? (metadata[key[1] as 'labels']?.[key[2] ?? ''] ?? '') : (found[path] ?? '');
}

function describeMounts(writer: DescribeWriter, level: number, { volumeMounts = [], volumeDevices = [] }: Container): void {
  if (!volumeMounts.length) writer.line(level, 'Mounts:\t<none>');
  else {
    writer.line(level, 'Mounts:');
    for (const mount of [...volumeMounts].sort((a, b) => (a.mountPath < b.mountPath ? -1 : 1))) {
      const flags = [mount.readOnly ? 'ro' : 'rw', ...(mount.subPath ? [`path="${mount.subPath}"`] : [])];
      writer.line(level + 1, `${mount.mountPath} from ${mount.name} (${flags.join(',')})`);
    }
  }
  if (!volumeDevices.length) return;
  writer.line(level, 'Devices:');
  for (const { devicePath, name } of volumeDevices) writer.line(level + 1, `${devicePath} from ${name}`);
}
