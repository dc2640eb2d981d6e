type Schedule = (run: () => void) => void;

/** How many drains in a row may go by before the host gets its turn (keys, sockets, signals). */
const DRAINS_PER_TURN = 64;

const takeTurn: Schedule = pickSchedule();
const afterMicrotasks: Schedule = pickAfterMicrotasks();
let drains = 0;

/**
 * Resolves when every microtask that is pending now, and those that they add, has run: the continuations of all promises resolved so far.
 * The one place of the kernel that uses the host's event loop; it takes no time of the simulation.
 */
export function drainMicrotasks(): Promise<void> {
  drains++;
  return new Promise(drains % DRAINS_PER_TURN === 0 ? takeTurn : afterMicrotasks);
}

/** Node runs ticks as soon as no microtask is left, which is much cheaper than a turn of its event loop. */
function pickAfterMicrotasks(): Schedule {
  const { process } = globalThis as { process?: { nextTick?: Schedule } };
  return process?.nextTick ? process.nextTick.bind(process) : takeTurn;
}

function pickSchedule(): Schedule {
  const host = globalThis as { setImmediate?: Schedule };
  if (host.setImmediate) return host.setImmediate;
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return (run) => {
    waiting.push(run);
    channel.port2.postMessage(undefined);
  };
}
