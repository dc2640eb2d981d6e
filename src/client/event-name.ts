import { isDNS1123Subdomain } from '../api/validation/content.ts';
import type { Actor } from '../sim/actor.ts';

const NANOSECONDS = 1_000_000;

/**
 * Makes the names of one recorder's events: the object's name and the present nanosecond in hex. The clock shows milliseconds, so what is below them is drawn;
 * names of one recorder grow. Where no object can be called so, as it would be too long, it is a UUID. client-go tools/record/util GenerateEventName
 */
export function eventNamer(actor: Actor, label: string): (object: string) => string {
  const { simulation } = actor;
  const random = simulation.random.fork(`events/${label}/${actor.name}/${actor.incarnation}`);
  let last = 0n;
  return (object) => {
    const drawn = BigInt(simulation.wallTime) * BigInt(NANOSECONDS) + BigInt(random.integer(NANOSECONDS));
    last = drawn > last ? drawn : last + 1n;
    const name = `${object}.${last.toString(16)}`;
    return isDNS1123Subdomain(name).length > 0 ? random.uuid() : name;
  };
}
