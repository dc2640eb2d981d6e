import type { Actor } from '../../src/sim/actor.ts';
import type { Random } from '../../src/sim/random.ts';

/** What all services of an account share. */
export interface Account {
  readonly actor: Actor;
  readonly random: Random;
  readonly id: string;
  readonly region: string;
}

/** An identifier as AWS makes them: `vol-0123456789abcdef0`. */
export function newId({ random }: Account, prefix: string): string {
  return `${prefix}-0${random.hex(16)}`;
}

/** ISO 8601 with milliseconds, as in answers. */
export function timestamp({ actor }: Account, ms: number = actor.simulation.wallTime): string {
  return new Date(ms).toISOString();
}
