/** A run passed its bound. The message names the actors (or what they were at) that kept the simulation busy, busiest first. */
export class BoundExceeded extends Error {
  override name = 'BoundExceeded';
  readonly busy: readonly { readonly label: string; readonly events: number }[];

  constructor(bound: string, busy: readonly { readonly label: string; readonly events: number }[]) {
    const who = busy.slice(0, 5).map(({ label, events }) => `${label} (${events} events)`);
    super(`not settled within ${bound}; kept busy by ${who.join(', ') || 'nobody'}`);
    this.busy = busy;
  }
}
