import type { Container, SELinuxOptions } from '../../../../src/api/kinds/core-v1.ts';
import { type Check, containersOf, containersText, quoted, settersText, sortedSet } from './finding.ts';

const CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const SELINUX_TYPES = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);
const SYSCTLS = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
]);
const APPARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';

const namesWhere = (containers: readonly Container[], test: (container: Container) => boolean): string[] =>
  containers.filter(test).map(({ name }) => name);

const appArmor: Check = (pod) => {
  const bad = (type: string | undefined): boolean => type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
  const podType = pod.spec.securityContext?.appArmorProfile?.type;
  const containers = containersOf(pod).filter(({ securityContext }) => bad(securityContext?.appArmorProfile?.type));
  const values = sortedSet([
    ...(bad(podType) ? [podType ?? ''] : []),
    ...containers.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? ''),
  ]);
  const annotations = Object.entries(pod.metadata.annotations ?? {}).filter(
    ([key, value]) => key.startsWith(APPARMOR_PREFIX) && value !== '' && value !== 'runtime/default' && !value.startsWith('localhost/'),
  );
  const details: string[] = [];
  if (values.length > 0)
    details.push(
      `${settersText(
        bad(podType),
        containers.map(({ name }) => name),
      )} must not set AppArmor profile type to ${quoted(values)}`,
    );
  if (annotations.length > 0) {
    const profiles = sortedSet(annotations.map(([key, value]) => `${key}="${value}"`));
    details.push(
      `${annotations.length === 1 ? 'annotation' : 'annotations'} must not set AppArmor profile to ${profiles.map((text) => text.slice(text.indexOf('=') + 1)).join(', ')}`,
    );
  }
  if (details.length === 0) return undefined;
  const count = values.length + annotations.length;
  return { reason: count === 1 ? 'forbidden AppArmor profile' : 'forbidden AppArmor profiles', detail: details.join(' and ') };
};

const capabilities: Check = (pod) => {
  const extra = ({ securityContext }: Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((capability) => !CAPABILITIES.has(capability));
  const containers = containersOf(pod).filter((container) => extra(container).length > 0);
  if (containers.length === 0) return undefined;
  const added = sortedSet(containers.flatMap(extra));
  return {
    reason: 'non-default capabilities',
    detail: `${containersText(containers.map(({ name }) => name))} must not include ${quoted(added)} in securityContext.capabilities.add`,
  };
};

const hostNamespaces: Check = ({ spec }) => {
  const set = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((key) => spec[key]);
  return set.length > 0 ? { reason: 'host namespaces', detail: set.map((key) => `${key}=true`).join(', ') } : undefined;
};

const hostPathVolumes: Check = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  return names.length > 0
    ? { reason: 'hostPath volumes', detail: `${names.length === 1 ? 'volume' : 'volumes'} ${quoted(names)}` }
    : undefined;
};

const hostPorts: Check = (pod) => {
  const containers = containersOf(pod).filter(({ ports }) => ports?.some(({ hostPort }) => hostPort));
  if (containers.length === 0) return undefined;
  const ports = sortedSet(
    containers.flatMap(({ ports: list }) => (list ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []))),
  );
  const verb = containers.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${containersText(containers.map(({ name }) => name))} ${verb} ${ports.length === 1 ? 'hostPort' : 'hostPorts'} ${ports.join(', ')}`,
  };
};

/** Hosts that probes and lifecycle handlers of a container go to. */
function handlerHosts({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): string[] {
  const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
  const hosts = handlers.flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host]);
  return hosts.filter((host): host is string => Boolean(host) && host !== '127.0.0.1' && host !== '::1');
}

const probeHosts: Check = (pod) => {
  const containers = containersOf(pod).filter((container) => handlerHosts(container).length > 0);
  if (containers.length === 0) return undefined;
  const hosts = sortedSet(containers.flatMap(handlerHosts));
  const verb = containers.length === 1 ? 'uses' : 'use';
  const noun = hosts.length === 1 ? 'probe or lifecycle host' : 'probe or lifecycle hosts';
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersText(containers.map(({ name }) => name))} ${verb} ${noun} ${quoted(hosts)}`,
  };
};

const privileged: Check = (pod) => {
  const names = namesWhere(containersOf(pod), ({ securityContext }) => securityContext?.privileged === true);
  return names.length > 0
    ? { reason: 'privileged', detail: `${containersText(names)} must not set securityContext.privileged=true` }
    : undefined;
};

const procMount: Check = (pod) => {
  if (pod.spec.hostUsers === false) return undefined;
  const type = ({ securityContext }: Container): string => securityContext?.procMount ?? 'Default';
  const containers = containersOf(pod).filter((container) => type(container) !== 'Default');
  if (containers.length === 0) return undefined;
  const types = sortedSet(containers.map(type));
  return {
    reason: 'procMount',
    detail: `${containersText(containers.map(({ name }) => name))} must not set securityContext.procMount to ${quoted(types)}`,
  };
};

const seLinux: Check = (pod) => {
  const bad = (options: SELinuxOptions | undefined): boolean =>
    options !== undefined && (!SELINUX_TYPES.has(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
  const podOptions = pod.spec.securityContext?.seLinuxOptions;
  const containers = containersOf(pod).filter(({ securityContext }) => bad(securityContext?.seLinuxOptions));
  const all = [...(bad(podOptions) ? [podOptions] : []), ...containers.map(({ securityContext }) => securityContext?.seLinuxOptions)];
  if (all.length === 0) return undefined;
  const types = sortedSet(all.flatMap((options) => (options?.type && !SELINUX_TYPES.has(options.type) ? [options.type] : [])));
  const parts = [
    ...(types.length > 0 ? [`${types.length === 1 ? 'type' : 'types'} ${quoted(types)}`] : []),
    ...(all.some((options) => options?.user) ? ['user may not be set'] : []),
    ...(all.some((options) => options?.role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${settersText(
      bad(podOptions),
      containers.map(({ name }) => name),
    )} set forbidden securityContext.seLinuxOptions: ${parts.join('; ')}`,
  };
};

const seccomp: Check = (pod) => {
  const podBad = pod.spec.securityContext?.seccompProfile?.type === 'Unconfined';
  const names = namesWhere(containersOf(pod), ({ securityContext }) => securityContext?.seccompProfile?.type === 'Unconfined');
  if (!podBad && names.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `${settersText(podBad, names)} must not set securityContext.seccompProfile.type to "Unconfined"`,
  };
};

const sysctls: Check = ({ spec }) => {
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !SYSCTLS.has(name));
  return names.length > 0 ? { reason: 'forbidden sysctls', detail: names.join(', ') } : undefined;
};

const hostProcess: Check = (pod) => {
  const podBad = pod.spec.securityContext?.windowsOptions?.hostProcess === true;
  const names = namesWhere(containersOf(pod), ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  if (!podBad && names.length === 0) return undefined;
  return { reason: 'hostProcess', detail: `${settersText(podBad, names)} must not set securityContext.windowsOptions.hostProcess=true` };
};

/** The checks of the baseline level, in the order in which they are reported. pod-security-admission policy.DefaultChecks */
export const BASELINE = {
  appArmor,
  capabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  probeHosts,
  privileged,
  procMount,
  seLinux,
  seccomp,
  sysctls,
  hostProcess,
};
