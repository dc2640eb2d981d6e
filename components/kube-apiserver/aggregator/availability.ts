import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { APIService, APIServiceCondition } from '../../../src/api/kinds/apiregistration-v1.ts';
import { OutboundError } from '../../../src/api/outbound.ts';
import { apiservices, endpointslices, services } from '../../../src/api/resources.ts';
import { loopbackWrite } from '../loopback.ts';
import { reach } from '../outbound.ts';
import type { ServerCore } from '../server-core.ts';
import { resolveEndpoint } from '../service-resolver.ts';

const TIMEOUT_MS = 5_000;
const HTTPS_PORT = 443;
/** Informers of the aggregator hand everything out again this often. */
const RESYNC_MS = 30_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 60_000;

type Finding = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;
type Remote = NonNullable<NonNullable<APIService['spec']>['service']>;

const no = (reason: string, message: string): Finding => ({ status: 'False', reason, message });

/** Says of each APIService whether it can be reached. kube-aggregator pkg/controllers/status/remote.AvailableConditionController and …/local */
export class AvailabilityController {
  readonly #server: ServerCore;
  readonly #queued = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #resources = new Map<string, readonly unknown[]>();

  constructor(server: ServerCore) {
    this.#server = server;
  }

  resourcesOf(groupVersion: string): readonly unknown[] | undefined {
    return this.#resources.get(groupVersion);
  }

  forget(groupVersion: string): void {
    this.#resources.delete(groupVersion);
  }

  /** Looks at an APIService soon. */
  enqueue(name: string, delayMs: number, priority: 'work' | 'background' = 'work'): void {
    const { actor } = this.#server.config;
    const key = `${name} ${priority}`;
    if (!actor || this.#queued.has(key)) return;
    this.#queued.add(key);
    const run = (): Promise<void> => {
      this.#queued.delete(key);
      return this.#sync(name);
    };
    actor.schedule(delayMs, run, { priority, label: 'kube-apiserver: availability of APIServices' });
  }

  async #sync(name: string): Promise<void> {
    const service = this.#present(name);
    if (!service) return;
    const remote = service.spec?.service;
    const finding = remote
      ? await this.#check(service, remote)
      : { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };
    const latest = this.#present(name);
    if (latest?.metadata.uid !== service.metadata.uid || !latest) return;
    this.#write(latest, finding);
    if (!remote) return;
    const failures = finding.reason === 'FailedDiscoveryCheck' ? (this.#failures.get(name) ?? 0) + 1 : 0;
    this.#failures.set(name, failures);
    const delay = failures > 0 ? Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS) : RESYNC_MS;
    this.enqueue(name, delay, 'background');
  }

  #present(name: string): APIService | undefined {
    return this.#server.storage(apiservices).get('', name);
  }

  async #check(apiService: APIService, remote: Remote): Promise<Finding> {
    const { name = '', namespace = '', port = HTTPS_PORT } = remote;
    const where = `${name} in "${namespace}"`;
    const service = this.#server.storage(services).get(namespace, name);
    if (!service) return no('ServiceNotFound', `service/${where} is not present`);
    if (service.spec?.type === undefined || service.spec.type === 'ClusterIP') {
      const listening = service.spec?.ports?.find((candidate) => candidate.port === port);
      if (!listening) return no('ServicePortError', `service/${where} is not listening on port ${port}`);
      const finding = this.#endpoints(remote, listening.name ?? '');
      if (finding) return finding;
    }
    return this.#discover(apiService, { ...remote, namespace, name });
  }

  #endpoints({ name = '', namespace = '' }: Remote, portName: string): Finding | undefined {
    const where = `service/${name} in "${namespace}"`;
    const slices = this.#server
      .storage(endpointslices)
      .list(namespace)
      .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name);
    if (slices.length === 0) return no('EndpointsNotFound', `cannot find endpointslices for ${where}`);
    const ready = slices.some(
      ({ endpoints, ports }) =>
        ports?.some((port) => (port.name ?? '') === portName) && endpoints?.some(({ conditions }) => conditions?.ready !== false),
    );
    return ready ? undefined : no('MissingEndpoints', `endpointslices for ${where} have no addresses with port name "${portName}"`);
  }

  /** The certificate is not looked at here. */
  async #discover({ spec }: APIService, service: Remote & { namespace: string; name: string }): Promise<Finding> {
    const groupVersion = `${spec?.group ?? ''}/${spec?.version ?? ''}`;
    const endpoint = { service, insecure: true };
    const suffix = `/apis/${groupVersion}`;
    const headers = { 'user-agent': 'Go-http-client/2.0', 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': 'system:masters' };
    let url = '';
    try {
      const address = resolveEndpoint(this.#server, service);
      url = `https://${address.ip}:${address.port}${suffix}`;
      const { status, body } = await reach(this.#server, endpoint, { method: 'GET', suffix, headers, timeoutMs: TIMEOUT_MS, address });
      if (status < 200 || status >= 300)
        return no('FailedDiscoveryCheck', `failing or missing response from ${url}: bad status from ${url}: ${status}`);
      this.#remember(groupVersion, body);
      return { status: 'True', reason: 'Passed', message: 'all checks passed' };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (!url) return no('FailedDiscoveryCheck', error.message);
      return no('FailedDiscoveryCheck', `failing or missing response from ${url}: Get ${JSON.stringify(url)}: ${error.message}`);
    }
  }

  #remember(groupVersion: string, body: string): void {
    try {
      const { resources } = JSON.parse(body) as { resources?: readonly unknown[] };
      if (Array.isArray(resources)) this.#resources.set(groupVersion, resources);
    } catch {
      // No list: the server answers, and nothing is known of its resources.
    }
  }

  #write(service: APIService, finding: Finding): void {
    const others = (service.status?.conditions ?? []).filter(({ type }) => type !== 'Available');
    const old = service.status?.conditions?.find(({ type }) => type === 'Available');
    const lastTransitionTime = old?.status === finding.status ? (old.lastTransitionTime ?? this.#server.now) : this.#server.now;
    const condition = { type: 'Available', lastTransitionTime, ...finding } as APIServiceCondition;
    if (old && semanticDeepEqual(old, condition)) return;
    const status = { ...service.status, conditions: [...others, condition] };
    loopbackWrite(this.#server, { ...service, status }, { resource: apiservices, verb: 'update', subresource: 'status' });
  }
}

/** What the last look at an APIService has said. kube-aggregator pkg/apis/apiregistration/v1/helper IsAPIServiceConditionTrue */
export function isAvailable(service: APIService | undefined): boolean {
  return service?.status?.conditions?.some(({ type, status }) => type === 'Available' && status === 'True') ?? false;
}
