import type { SocketAddress, TransportProtocol } from '../../src/api/network.ts';
import type { Actor } from '../../src/sim/actor.ts';

/** Which side of a connection the node stands on. */
export type Direction = 'egress' | 'ingress';

/** The first packet of a connection, after the addresses of Services have been replaced by those of pods. */
export interface Packet {
  readonly from: string;
  readonly to: SocketAddress;
  readonly protocol: TransportProtocol;
}

/** What becomes of a packet, and why. A packet that is not accepted is dropped: its sender waits in vain. */
export interface Verdict {
  readonly accepted: boolean;
  /** One sentence. */
  readonly message: string;
}

/** Decides about packets. Undefined: no policy is about this one. */
export type Judge = (direction: Direction, packet: Packet) => Verdict | undefined;

/**
 * The queue in the kernel of one node that hands packets of pods which a policy selects to a program, and waits for its verdict (nfqueue). Where no program has
 * ever listened, nothing is queued; where it has gone down, what is queued waits in vain.
 */
export class PacketQueue {
  #program: { readonly actor: Actor; readonly incarnation: number; readonly judge: Judge } | undefined;

  /** From now on the actor's program decides. */
  listen(actor: Actor, judge: Judge): void {
    this.#program = { actor, incarnation: actor.incarnation, judge };
  }

  judge(direction: Direction, packet: Packet): Verdict | undefined {
    if (!this.#program) return undefined;
    const { actor, incarnation, judge } = this.#program;
    const verdict = judge(direction, packet);
    if (!verdict) return undefined;
    const listens = actor.state === 'running' && actor.incarnation === incarnation;
    const said = listens ? verdict : { accepted: false, message: `${describePacket(packet)} dropped: nobody listens at the queue` };
    actor.simulation.trace.record({ kind: 'runtime', what: 'packet', message: `${actor.name}: ${said.message}` });
    return said;
  }
}

/** @example '10.244.1.5 → 10.244.2.7:80/TCP' */
export function describePacket({ from, to, protocol }: Packet): string {
  return `${from} → ${to.ip}:${to.port}/${protocol}`;
}
