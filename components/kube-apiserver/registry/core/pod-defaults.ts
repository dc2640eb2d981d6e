import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  HTTPGetAction,
  Lifecycle,
  Pod,
  PodSpec,
  PodTemplateSpec,
  Probe,
  ResourceRequirements,
} from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import { setDefaultsVolume } from './volume-defaults.ts';

// Defaults change the object in place: it is fresh from the decoder.

/** kubernetes pkg/apis/core/v1 SetDefaults_Pod and what it leads to. */
export function setDefaultsPod(pod: Pod): void {
  const { spec, status } = pod;
  if (status?.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  if (!spec) return;
  setDefaultsPodSpec(spec);
  spec.enableServiceLinks ??= true;
  for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) copyLimitsToRequests(container.resources);
  if (spec.hostNetwork)
    for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) defaultHostNetworkPorts(container.ports);
  if (spec.resources) defaultPodLevelRequests(spec);
}

/** Defaults of a pod template: those of a pod's spec, without what only pods get. */
export function setDefaultsPodTemplate(template: PodTemplateSpec): void {
  if (template.spec) setDefaultsPodSpec(template.spec);
}

/** kubernetes pkg/apis/core/v1 SetDefaults_PodSpec */
function setDefaultsPodSpec(spec: PodSpec): void {
  spec.containers ??= [];
  spec.dnsPolicy ??= 'ClusterFirst';
  spec.restartPolicy ??= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.securityContext ??= {};
  spec.schedulerName ??= 'default-scheduler';
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  if (account) {
    spec.serviceAccountName ??= account;
    if (spec.serviceAccount !== account) spec.serviceAccount = account;
  }
  for (const container of spec.containers) setDefaultsContainer(container);
  for (const container of spec.initContainers ?? []) setDefaultsContainer(container);
  for (const container of spec.ephemeralContainers ?? []) setDefaultsContainer(container);
  for (const volume of spec.volumes ?? []) setDefaultsVolume(volume);
  roundUp(spec.overhead);
  if (spec.resources) roundUpResources(spec.resources);
}

/** kubernetes pkg/apis/core/v1 SetDefaults_Container */
function setDefaultsContainer(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ??= tagOf(container.image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
  container.terminationMessagePath ??= '/dev/termination-log';
  container.terminationMessagePolicy ??= 'File';
  for (const port of container.ports ?? []) port.protocol ??= 'TCP';
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) if (probe) setDefaultsProbe(probe);
  if (container.lifecycle) setDefaultsLifecycle(container.lifecycle);
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ??= 'v1';
    if (valueFrom?.resourceFieldRef) valueFrom.resourceFieldRef.divisor ??= '0';
  }
  if (container.resources) roundUpResources(container.resources);
}

const PATH_PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const IMAGE = new RegExp(
  `^(?:[a-zA-Z0-9.-]+(?::[0-9]+)?/)?${PATH_PART}(?:/${PATH_PART})*(?::[\\w][\\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`,
);

/** The tag of an image, `latest` when it has none; '' for a digest without tag and for what is no image name (util/parsers ParseImageName). */
function tagOf(image: string): string {
  if (!IMAGE.test(image)) return '';
  const digest = image.indexOf('@');
  const named = digest < 0 ? image : image.slice(0, digest);
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  if (colon >= 0) return named.slice(colon + 1);
  return digest < 0 ? 'latest' : '';
}

/** kubernetes pkg/apis/core/v1 SetDefaults_Probe */
function setDefaultsProbe(probe: Probe): void {
  probe.timeoutSeconds ??= 1;
  probe.periodSeconds ??= 10;
  probe.successThreshold ??= 1;
  probe.failureThreshold ??= 3;
  if (probe.httpGet) setDefaultsHttpGet(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= '';
}

function setDefaultsLifecycle({ postStart, preStop }: Lifecycle): void {
  if (postStart?.httpGet) setDefaultsHttpGet(postStart.httpGet);
  if (preStop?.httpGet) setDefaultsHttpGet(preStop.httpGet);
}

/** kubernetes pkg/apis/core/v1 SetDefaults_HTTPGetAction */
function setDefaultsHttpGet(action: HTTPGetAction): void {
  action.path ??= '/';
  action.scheme ??= 'HTTP';
}

function copyLimitsToRequests(resources: ResourceRequirements | undefined): void {
  const limits = resources?.limits;
  if (!resources || !limits) return;
  resources.requests ??= {};
  for (const name in limits) resources.requests[name] ??= limits[name] ?? '0';
}

/** kubernetes pkg/apis/core/v1 defaultHostNetworkPorts */
function defaultHostNetworkPorts(ports: readonly ContainerPort[] | undefined): void {
  for (const port of ports ?? []) if (!port.hostPort && port.containerPort) port.hostPort = port.containerPort;
}

/** kubernetes pkg/apis/core/v1 defaultPodRequests: what containers ask for together, then the limits. */
function defaultPodLevelRequests(spec: PodSpec): void {
  const { resources } = spec;
  if (!resources || (!resources.limits && !resources.requests)) return;
  const requests: Record<string, string> = { ...resources.requests };
  const sums = sumOfContainers(spec);
  for (const name of ['cpu', 'memory']) if (requests[name] === undefined && sums[name] !== undefined) requests[name] = sums[name];
  for (const [name, limit] of Object.entries(resources.limits ?? {}))
    if (name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')) requests[name] ??= limit;
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

/** component-helpers resource AggregateContainerRequests, for sums of containers and the largest init container. */
function sumOfContainers(spec: PodSpec): Record<string, string> {
  const sums: Record<string, string> = {};
  for (const { resources } of spec.containers) {
    for (const [name, amount] of Object.entries(resources?.requests ?? {}))
      sums[name] = parseQuantity(sums[name]).add(parseQuantity(amount)).toString();
  }
  for (const { resources } of spec.initContainers ?? []) {
    for (const [name, amount] of Object.entries(resources?.requests ?? {})) {
      if (parseQuantity(amount).compare(parseQuantity(sums[name])) > 0) sums[name] = amount;
    }
  }
  return sums;
}

function roundUpResources({ limits, requests }: ResourceRequirements): void {
  roundUp(limits);
  roundUp(requests);
}

/** kubernetes pkg/apis/core/v1 SetDefaults_ResourceList: nothing is finer than a thousandth. */
export function roundUp(list: Record<string, string> | undefined): void {
  for (const name in list) {
    const amount = list[name] ?? '0';
    if (!/[nu]$|\.|e-/.test(amount)) continue;
    list[name] = parseQuantity(amount).roundUpMilli().toString();
  }
}
