import type { XmlElement } from '../../src/api/xml-text.ts';
import { type AwsClient, AwsError } from '../../src/client/aws-client.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { VpcCniConfig } from './config.ts';
import type { DataStore } from './data-store.ts';

/** pkg/ipamd ipPoolMonitorInterval */
const MONITOR_MS = 5_000;
/** How often what EC2 says is asked for without need: nodeIPPoolReconcileInterval. */
const RECONCILE_MS = 60_000;
/** How long until addresses that are too many are given back: decreaseIPPoolInterval. */
const DECREASE_MS = 30_000;

export interface IpamdParts {
  readonly actor: Actor;
  readonly aws: AwsClient;
  readonly config: VpcCniConfig;
  readonly store: DataStore;
  /** The machine's name, by which it is found. */
  readonly node: string;
}

interface Limits {
  readonly instanceId: string;
  readonly subnetId: string;
  readonly interfaces: number;
  /** Addresses of an interface besides its primary one. */
  readonly addresses: number;
}

/** L-IPAMD: keeps addresses of the VPC ready for the pods of its node. github.com/aws/amazon-vpc-cni-k8s pkg/ipamd IPAMContext */
export class Ipamd {
  readonly #parts: IpamdParts;
  #limits: Limits = { instanceId: '', subnetId: '', interfaces: 0, addresses: 0 };
  #reconciledAt = 0;
  #decreasedAt = 0;

  constructor(parts: IpamdParts) {
    this.#parts = parts;
  }

  /** nodeInit: finds out what machine it is on, and fills the pool for the first time. */
  async start(): Promise<void> {
    this.#limits = await this.#findLimits();
    await this.#reconcile();
    await this.#increaseWhileTooLow();
  }

  /** StartNodeIPPoolManager: goes on until the process ends. Nobody waits for it: pods that wait for an address ask again. */
  async run(): Promise<void> {
    const { actor } = this.#parts;
    for (;;) {
      await actor.sleep(MONITOR_MS, 'background');
      try {
        if (actor.simulation.now - this.#reconciledAt >= RECONCILE_MS) await this.#reconcile();
        await this.#updatePool();
      } catch (error) {
        // It is tried again in the next round.
        if (!(error instanceof AwsError)) throw error;
      }
    }
  }

  /** updateIPPoolIfRequired */
  async #updatePool(): Promise<void> {
    const { now } = this.#parts.actor.simulation;
    if (await this.#increaseWhileTooLow()) return;
    if (now - this.#decreasedAt < DECREASE_MS) return;
    this.#decreasedAt = now;
    if (this.#usesIpTargets) await this.#decrease();
    else await this.#freeEni();
  }

  get #usesIpTargets(): boolean {
    const { warmIpTarget = 0, minimumIpTarget = 0 } = this.#parts.config;
    return warmIpTarget > 0 || minimumIpTarget > 0;
  }

  /** How many addresses are missing. isDatastorePoolTooLow, datastoreTargetState */
  #short(): number {
    const { store, config } = this.#parts;
    if (this.#usesIpTargets) {
      const { warmIpTarget = 0, minimumIpTarget = 0 } = config;
      return Math.max(warmIpTarget - store.available, minimumIpTarget - store.total, 0);
    }
    const { warmEniTarget = 1 } = config;
    return Math.max(this.#limits.addresses * warmEniTarget - store.available, warmEniTarget === 0 && store.available === 0 ? 1 : 0);
  }

  /** One step at a time, until there is enough or no more to be had. @returns whether anything was done */
  async #increaseWhileTooLow(): Promise<boolean> {
    let done = false;
    while (this.#short() > 0 && (await this.#increase())) done = true;
    return done;
  }

  /** increaseDatastorePool: addresses for the interfaces that are there, then another interface. */
  async #increase(): Promise<boolean> {
    const { store } = this.#parts;
    const { addresses, interfaces } = this.#limits;
    const wanted = this.#usesIpTargets ? this.#short() : addresses;
    const roomy = store.enis.find(({ size }) => size < addresses);
    if (roomy) {
      await this.#assign(roomy.id, Math.min(wanted, addresses - roomy.size));
      return true;
    }
    if (store.enis.length >= interfaces) return false;
    await this.#allocateEni(Math.min(wanted, addresses));
    return true;
  }

  async #assign(id: string, count: number): Promise<void> {
    await this.#ec2('AssignPrivateIpAddresses', { NetworkInterfaceId: id, SecondaryPrivateIpAddressCount: count });
    await this.#reconcile();
  }

  /** pkg/awsutils AllocENI */
  async #allocateEni(count: number): Promise<void> {
    const { instanceId, subnetId } = this.#limits;
    const made = await this.#ec2('CreateNetworkInterface', {
      SubnetId: subnetId,
      Description: `aws-K8S-${instanceId}`,
      SecondaryPrivateIpAddressCount: count,
    });
    const NetworkInterfaceId = made.text('networkInterface', 'networkInterfaceId');
    const used = (await this.#interfaces()).map((each) => Number(each.text('attachment', 'deviceIndex')));
    let DeviceIndex = 1;
    while (used.includes(DeviceIndex)) DeviceIndex++;
    await this.#ec2('AttachNetworkInterface', { NetworkInterfaceId, InstanceId: instanceId, DeviceIndex });
    await this.#reconcile();
  }

  /** decreaseDatastorePool: gives back what WARM_IP_TARGET and MINIMUM_IP_TARGET do not ask for. */
  async #decrease(): Promise<void> {
    const { store, config } = this.#parts;
    const { warmIpTarget = 0, minimumIpTarget = 0 } = config;
    let over = Math.min(store.available - warmIpTarget, store.total - minimumIpTarget);
    for (const { id } of store.enis.toReversed()) {
      const ips = store.freeable(id).slice(0, Math.max(over, 0));
      if (ips.length === 0) continue;
      over -= ips.length;
      await this.#ec2('UnassignPrivateIpAddresses', { NetworkInterfaceId: id, PrivateIpAddress: ips });
    }
    await this.#reconcile();
    await this.#freeEni();
  }

  /** tryFreeENI: an interface more than WARM_ENI_TARGET asks for goes, when nobody uses it. */
  async #freeEni(): Promise<void> {
    const { store, config } = this.#parts;
    const spare = this.#usesIpTargets ? 0 : (config.warmEniTarget ?? 1) + 1;
    const id = store.unusedEni();
    if (id === undefined) return;
    if (this.#usesIpTargets ? store.freeable(id).length > 0 : store.available < this.#limits.addresses * spare) return;
    const found = (await this.#interfaces()).find((each) => each.text('networkInterfaceId') === id);
    await this.#ec2('DetachNetworkInterface', { AttachmentId: found?.text('attachment', 'attachmentId') });
    await this.#ec2('DeleteNetworkInterface', { NetworkInterfaceId: id });
    await this.#reconcile();
  }

  /** nodeIPPoolReconcile: what EC2 says is what is there. */
  async #reconcile(): Promise<void> {
    const { store, actor } = this.#parts;
    const found = await this.#interfaces();
    this.#reconciledAt = actor.simulation.now;
    store.removeEnis(new Set(found.map((each) => each.text('networkInterfaceId') ?? '')));
    for (const each of found) {
      const ips = each.items('privateIpAddressesSet').filter((address) => address.text('primary') === 'false');
      store.setEni(each.text('networkInterfaceId') ?? '', {
        primary: each.text('attachment', 'deviceIndex') === '0',
        ips: ips.map((address) => address.text('privateIpAddress') ?? ''),
      });
    }
  }

  async #interfaces(): Promise<readonly XmlElement[]> {
    const Filter = [{ Name: 'attachment.instance-id', Value: [this.#limits.instanceId] }];
    return (await this.#ec2('DescribeNetworkInterfaces', { Filter })).items('networkInterfaceSet');
  }

  async #findLimits(): Promise<Limits> {
    const instances = await this.#ec2('DescribeInstances', { Filter: [{ Name: 'tag:Name', Value: [this.#parts.node] }] });
    const instance = instances.get('reservationSet', 'item', 'instancesSet', 'item');
    const types = await this.#ec2('DescribeInstanceTypes', { InstanceType: [instance?.text('instanceType') ?? ''] });
    const network = types.get('instanceTypeSet', 'item', 'networkInfo');
    return {
      instanceId: instance?.text('instanceId') ?? '',
      subnetId: instance?.text('subnetId') ?? '',
      // The first one is there already.
      interfaces: Math.min(
        Number(network?.text('maximumNetworkInterfaces')),
        Math.max(this.#parts.config.maxEni ?? Number.POSITIVE_INFINITY, 1),
      ),
      addresses: Number(network?.text('ipv4AddressesPerInterface')) - 1,
    };
  }

  #ec2(action: string, parameters: Parameters<AwsClient['query']>[2]): Promise<XmlElement> {
    return this.#parts.aws.query('ec2', action, parameters);
  }
}
