import type { Lease, LeaseSpec } from '../api/kinds/coordination-v1.ts';
import type { NamespacedName } from '../api/object.ts';
import { leases } from '../api/resources.ts';
import { ApiStatusError, isNotFound } from '../api/status-error.ts';
import { formatMicroTime } from '../api/time.ts';
import type { Actor } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import type { Random } from '../sim/random.ts';
import type { Client } from './client.ts';
import type { EventRecorder } from './event-recorder.ts';
import { Reconnect } from './reconnect.ts';

/** Which lease, who runs for it, and what happens then. Times are client-go's defaults of components if absent: 15 s, 10 s, 2 s. */
export interface LeaderElectorOptions {
  readonly client: Client;
  /** The Lease that stands for leadership. */
  readonly lock: NamespacedName;
  /** `<hostname>_<uuid>` in Kubernetes. */
  readonly identity: string;
  /** Says `<identity> became leader` on the Lease. */
  readonly recorder?: EventRecorder;
  readonly leaseDurationMs?: number;
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
  /** Called once, in an event of the actor. */
  readonly onStartedLeading: () => void | Promise<void>;
  /** Leadership could not be renewed in time. Processes of Kubernetes exit here. */
  readonly onStoppedLeading: () => void;
  /** Somebody (perhaps this process) is leader now. */
  readonly onNewLeader?: (identity: string) => void;
}

/** client-go tools/leaderelection JitterFactor */
const JITTER_FACTOR = 1.2;

/**
 * Lets one of several processes lead, by a Lease that the leader renews: client-go tools/leaderelection LeaderElector. Renewals are background to the simulation.
 * @example new LeaderElector({ client, lock: { namespace: 'kube-system', name: 'kube-scheduler' }, identity, onStartedLeading, onStoppedLeading }).run();
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #actor: Actor;
  readonly #random: Random;
  readonly #leaseDurationMs: number;
  readonly #renewDeadlineMs: number;
  readonly #retryPeriodMs: number;
  readonly #tries: Reconnect;
  /** The Lease as last seen, and when it was last seen changed by this process's clock. */
  #observed: Lease | undefined;
  #observedAt = 0;
  /** Somebody else has renewed the Lease since this process watches it. */
  #holderLives = false;
  #reportedLeader = '';
  #stopped = false;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#actor = options.client.actor;
    this.#random = this.#actor.simulation.random.fork(`leader election/${options.identity}`);
    this.#leaseDurationMs = options.leaseDurationMs ?? 15_000;
    this.#renewDeadlineMs = options.renewDeadlineMs ?? 10_000;
    this.#retryPeriodMs = options.retryPeriodMs ?? 2_000;
    this.#tries = new Reconnect({ client: options.client, label: this.#label, run: () => this.#acquire() });
  }

  get isLeader(): boolean {
    return this.#observed?.spec?.holderIdentity === this.#options.identity;
  }

  /** Tries to become leader until it does. The simulation is settled while a leader lives; it waits for a lease that nobody renews to run out. */
  run(): void {
    this.#tries.tryLater(0);
  }

  /** Gives leadership up at once, so that another need not wait for the lease to end: ReleaseOnCancel. */
  async release(): Promise<void> {
    this.#stopped = true;
    if (!this.isLeader || !this.#observed) return;
    const time = formatMicroTime(this.#actor.wallTime);
    const spec = {
      leaseDurationSeconds: 1,
      renewTime: time,
      acquireTime: time,
      leaseTransitions: this.#observed.spec?.leaseTransitions ?? 0,
    };
    this.#observe(await this.#leases.update({ ...this.#observed, spec: { ...spec, holderIdentity: '' } }));
  }

  get #label(): string {
    return `${this.#actor.name} leader election`;
  }

  get #leases() {
    return this.#options.client.resource(leases);
  }

  async #acquire(): Promise<void> {
    if (this.#stopped) return;
    const outcome = await this.#tryAcquireOrRenew(false);
    if (outcome === 'leader') {
      this.#report('became leader');
      this.#scheduleRenewal(this.#actor.simulation.now);
      return this.#options.onStartedLeading();
    }
    const held = this.#holderLives ? 'background' : 'work';
    this.#tries.tryLater(
      Math.round(this.#random.jitter(this.#retryPeriodMs, JITTER_FACTOR)),
      outcome === 'follower' ? held : 'unreachable',
    );
  }

  #scheduleRenewal(lastSuccess: number): void {
    this.#actor.schedule(this.#retryPeriodMs, () => this.#renew(lastSuccess), { priority: 'background', label: this.#label });
  }

  async #renew(lastSuccess: number): Promise<void> {
    if (this.#stopped) return;
    const { simulation } = this.#actor;
    if ((await this.#tryAcquireOrRenew(true)) === 'leader') return this.#scheduleRenewal(simulation.now);
    if (simulation.now - lastSuccess < this.#renewDeadlineMs) return this.#scheduleRenewal(lastSuccess);
    this.#stopped = true;
    this.#report('stopped leading');
    this.#options.onStoppedLeading();
  }

  /** client-go tools/leaderelection LeaderElector.tryAcquireOrRenew */
  async #tryAcquireOrRenew(background: boolean): Promise<'leader' | 'follower' | 'failed'> {
    try {
      if (this.isLeader && this.#isLeaseValid() && (await this.#update(background, true))) return 'leader';
      const current = await this.#getOrCreate(background);
      if (current.created) return 'leader';
      if (current.lease.metadata.resourceVersion !== this.#observed?.metadata.resourceVersion) {
        this.#holderLives = this.#observed !== undefined;
        this.#observe(current.lease);
      }
      const holder = this.#observed?.spec?.holderIdentity;
      if (holder && !this.isLeader && this.#isLeaseValid()) return 'follower';
      return (await this.#update(background, false)) ? 'leader' : 'failed';
    } catch (error) {
      if (error instanceof ApiStatusError || error instanceof ActorUnavailable) return 'failed';
      throw error;
    }
  }

  async #getOrCreate(background: boolean): Promise<{ readonly lease: Lease; readonly created: boolean }> {
    try {
      return { lease: await this.#leases.get(this.#options.lock), created: false };
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    const { name, namespace } = this.#options.lock;
    const metadata = { name, ...(namespace ? { namespace } : {}) };
    const lease = await this.#leases.create({ metadata, spec: this.#spec(undefined) }, { background });
    this.#observe(lease);
    return { lease, created: true };
  }

  async #update(background: boolean, tolerateFailure: boolean): Promise<boolean> {
    const observed = this.#observed;
    if (!observed) return false;
    try {
      this.#observe(await this.#leases.update({ ...observed, spec: { ...observed.spec, ...this.#spec(observed.spec) } }, { background }));
      return true;
    } catch (error) {
      if (tolerateFailure && error instanceof ApiStatusError) return false;
      throw error;
    }
  }

  #spec(before: LeaseSpec | undefined): LeaseSpec {
    const { identity } = this.#options;
    const time = formatMicroTime(this.#actor.wallTime);
    const stays = before?.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: this.#leaseDurationMs / 1000,
      acquireTime: (stays ? before.acquireTime : undefined) ?? time,
      renewTime: time,
      leaseTransitions: before ? (before.leaseTransitions ?? 0) + (stays ? 0 : 1) : 0,
    };
  }

  #isLeaseValid(): boolean {
    const seconds = this.#observed?.spec?.leaseDurationSeconds ?? 0;
    return this.#observedAt + seconds * 1000 > this.#actor.simulation.now;
  }

  #observe(lease: Lease): void {
    this.#observed = lease;
    this.#observedAt = this.#actor.simulation.now;
    const leader = lease.spec?.holderIdentity ?? '';
    if (leader === this.#reportedLeader) return;
    this.#reportedLeader = leader;
    this.#options.onNewLeader?.(leader);
  }

  #report(what: string): void {
    const { recorder, identity } = this.#options;
    if (this.#observed) recorder?.event(this.#observed, 'Normal', 'LeaderElection', `${identity} ${what}`);
  }
}
