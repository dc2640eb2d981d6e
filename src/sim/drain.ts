type Schedule = (run: () => void) => void;

const schedule: Schedule = pickSchedule();

/**
 * Resolves when every microtask that is pending now, and those that they add, has run: the continuations of all promises resolved so far.
 * The one place of the kernel that uses the host's event loop; it takes no time of the simulation.
 */
export function drainMicrotasks(): Promise<void> {
  return new Promise(schedule);
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
