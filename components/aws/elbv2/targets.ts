import type { XmlValue } from '../../../src/api/xml-text.ts';
import type { Account } from '../account.ts';
import type { QueryParameters } from '../query-parameters.ts';

/** Whether something answers there, at an address or a port of an instance: what a health check finds. */
export type Probe = (target: string, port: number) => boolean;

/** From the registration of a target to the first answers of its health checks. */
const INITIAL_MS = 20_000;

/** Something that requests are sent to. */
export interface Target {
  /** An address, or an instance. */
  readonly id: string;
  readonly port: number;
  readonly registeredAt: number;
}

/** The targets of a target group. */
export class Targets {
  readonly #account: Account;
  readonly #probe: Probe;
  readonly #targets = new Map<string, Target>();

  constructor(account: Account, probe: Probe) {
    this.#account = account;
    this.#probe = probe;
  }

  register(targets: readonly QueryParameters[], defaultPort: number): void {
    const registeredAt = this.#account.actor.simulation.wallTime;
    for (const target of targets) {
      const id = target.required('Id');
      const port = target.number('Port') ?? defaultPort;
      const key = `${id}:${port}`;
      if (!this.#targets.has(key)) this.#targets.set(key, { id, port, registeredAt });
    }
  }

  deregister(targets: readonly QueryParameters[], defaultPort: number): void {
    for (const target of targets) this.#targets.delete(`${target.required('Id')}:${target.number('Port') ?? defaultPort}`);
  }

  get all(): readonly Target[] {
    return [...this.#targets.values()];
  }

  /** What its health checks say, once there are any. */
  isHealthy({ id, port, registeredAt }: Target): boolean {
    return this.#account.actor.simulation.wallTime >= registeredAt + INITIAL_MS && this.#probe(id, port);
  }

  /** @param used whether a listener sends anything here */
  describeHealth(used: boolean): XmlValue {
    const TargetHealthDescriptions = [...this.#targets.values()].map((target) => ({
      Target: { Id: target.id, Port: target.port },
      HealthCheckPort: String(target.port),
      TargetHealth: used ? this.#healthOf(target) : NOT_IN_USE,
    }));
    return { TargetHealthDescriptions };
  }

  #healthOf(target: Target): XmlValue {
    if (this.#account.actor.simulation.wallTime < target.registeredAt + INITIAL_MS) return INITIAL;
    return this.isHealthy(target) ? { State: 'healthy' } : FAILED;
  }
}

const NOT_IN_USE = {
  State: 'unused',
  Reason: 'Target.NotInUse',
  Description: 'Target group is not configured to receive traffic from the load balancer',
};
const INITIAL = { State: 'initial', Reason: 'Elb.RegistrationInProgress', Description: 'Target registration is in progress' };
const FAILED = { State: 'unhealthy', Reason: 'Target.FailedHealthChecks', Description: 'Health checks failed' };
