import { getCondition } from '../../../src/api/conditions.ts';
import type { IPAddress, ServiceCIDR } from '../../../src/api/kinds/networking-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { ipaddresses, servicecidrs } from '../../../src/api/resources.ts';
import { formatTime, parseTime } from '../../../src/api/time.ts';
import { maskIP, type ParsedCidr, type ParsedIP, parseCidr, parseIP } from '../../../src/api/validation/ip.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { ControllerContext } from '../controller-context.ts';

const NAME = 'service-cidr-controller';
const ACCOUNT = 'service-cidrs-controller';
const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
const ALLOCATOR = 'ipallocator.k8s.io';
/** Allocators of other servers may not have heard of the deletion yet. */
const DELETION_GRACE_PERIOD_MS = 10_000;
const MAX_RETRIES = 15;
const READY = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' } as const;
const TERMINATING = {
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
} as const;

/** Keeps ranges of Service addresses that are in use from vanishing. pkg/controller/servicecidrs/servicecidrs_controller.go Controller */
class ServiceCIDRController {
  readonly #context: ControllerContext;
  readonly #client: ResourceClient<ServiceCIDR>;
  readonly #recorder: EventRecorder;
  readonly #ranges: Indexer<ServiceCIDR>;
  readonly #addresses: Indexer<IPAddress>;
  readonly #queue: RateLimitingQueue;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    this.#context = context;
    this.#client = context.clientFor(ACCOUNT).resource(servicecidrs);
    this.#recorder = context.recorderFor(NAME, ACCOUNT);
    this.#queue = new RateLimitingQueue({ actor });
    this.#ranges = informers.forResource(servicecidrs).store;
    this.#addresses = informers.forResource(ipaddresses).store;
    const enqueue = (range: ServiceCIDR): void => this.#queue.add(keyOf(range));
    const enqueueOverlapping = (range: ServiceCIDR): void => {
      enqueue(range);
      for (const other of this.#ranges.list())
        if (prefixesOf(other).some((prefix) => prefixesOf(range).some((mine) => overlap(prefix, mine)))) enqueue(other);
    };
    informers.forResource(servicecidrs).addEventHandler({
      onAdd: enqueueOverlapping,
      onUpdate: (_, range) => enqueue(range),
      onDelete: enqueueOverlapping,
    });
    // Addresses matter to ranges that are being deleted only.
    const onAddress = (address: IPAddress): void => {
      const leaving = this.#ranges.list().filter(({ metadata }) => metadata.deletionTimestamp);
      const ip = leaving.length > 0 && isManaged(address) ? parseIP(address.metadata.name ?? '') : undefined;
      for (const range of leaving) if (ip && covers(range, ip)) enqueue(range);
    };
    informers.forResource(ipaddresses).addEventHandler({
      onAdd: onAddress,
      onDelete: onAddress,
    });
  }

  run(): void {
    const { actor, config } = this.#context;
    const queue = this.#queue;
    const handleError = (key: string): void => {
      if (queue.numRequeues(key) < MAX_RETRIES) queue.addRateLimited(key);
      else queue.forget(key);
    };
    runWorkers({ actor, name: NAME, queue, workers: config.concurrentSyncs, reconcile: (key) => this.#sync(key), handleError });
  }

  /** servicecidrs_controller.go sync */
  async #sync(name: string): Promise<void> {
    const range = this.#ranges.get(name);
    if (!range) return;
    if (range.metadata.deletionTimestamp) return this.#finish(range);
    const finalizers = range.metadata.finalizers ?? [];
    if (!finalizers.includes(FINALIZER)) {
      const patch = { metadata: { finalizers: [...finalizers, FINALIZER] } };
      await this.#client.patch({ name }, patch, { type: 'strategic', fieldManager: NAME });
    }
    if (getCondition(range.status?.conditions, 'Ready')?.status === 'True') return;
    try {
      await this.#applyReady(range, READY);
    } catch (error) {
      this.#recorder.event(range, 'Warning', 'KubernetesServiceCIDRError', 'The ServiceCIDR Status can not be set to Ready=True');
      throw error;
    }
  }

  async #finish(range: ServiceCIDR): Promise<void> {
    const { name = '', finalizers = [], deletionTimestamp } = range.metadata;
    if (!finalizers.includes(FINALIZER)) return;
    if (!this.#canDelete(range)) {
      if (getCondition(range.status?.conditions, 'Ready')?.reason !== TERMINATING.reason) await this.#applyReady(range, TERMINATING);
      return;
    }
    const waited = this.#context.actor.simulation.wallTime - (parseTime(deletionTimestamp) ?? 0);
    if (waited < DELETION_GRACE_PERIOD_MS) return this.#queue.addAfter(name, DELETION_GRACE_PERIOD_MS - waited);
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': [FINALIZER] } };
    await this.#client.patch({ name }, patch, { type: 'strategic', fieldManager: NAME });
  }

  /** Other ranges hold all of it, or no address depends on it alone. servicecidrs_controller.go canDeleteCIDR */
  #canDelete(range: ServiceCIDR): boolean {
    const others = this.#ranges.list().filter((other) => other.metadata.uid !== range.metadata.uid && !other.metadata.deletionTimestamp);
    const held = others.flatMap(prefixesOf);
    if (prefixesOf(range).every((prefix) => held.some((outer) => contains(outer, prefix)))) return true;
    return !this.#addresses.list().some((address) => {
      const ip = parseIP(address.metadata.name ?? '');
      return isManaged(address) && ip !== undefined && covers(range, ip) && !others.some((other) => covers(other, ip));
    });
  }

  async #applyReady({ metadata: { name = '' } }: ServiceCIDR, condition: typeof READY | typeof TERMINATING): Promise<void> {
    const lastTransitionTime = formatTime(this.#context.actor.simulation.wallTime);
    const apply = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name },
      status: { conditions: [{ type: 'Ready', ...condition, lastTransitionTime }] },
    };
    await this.#client.patch({ name }, apply, { type: 'apply', subresource: 'status', fieldManager: NAME, force: true });
  }
}

function isManaged({ metadata }: IPAddress): boolean {
  return metadata.labels?.[MANAGED_BY] === ALLOCATOR;
}

function prefixesOf({ spec }: ServiceCIDR): ParsedCidr[] {
  return (spec?.cidrs ?? []).flatMap((text) => parseCidr(text) ?? []);
}

function covers(range: ServiceCIDR, ip: ParsedIP): boolean {
  return prefixesOf(range).some((prefix) => has(prefix, ip));
}

function has({ ip: network, prefix }: ParsedCidr, ip: ParsedIP): boolean {
  return network.version === ip.version && maskIP(ip, prefix).value === maskIP(network, prefix).value;
}

function contains(outer: ParsedCidr, inner: ParsedCidr): boolean {
  return outer.prefix <= inner.prefix && has(outer, inner.ip);
}

function overlap(a: ParsedCidr, b: ParsedCidr): boolean {
  return has(a, b.ip) || has(b, a.ip);
}

/** cmd/kube-controller-manager/app/networking.go startServiceCIDRsController */
export function startServiceCIDRController(context: ControllerContext): void {
  const controller = new ServiceCIDRController(context);
  context.onceSynced(() => controller.run());
}
