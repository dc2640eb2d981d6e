import type { CommandContext } from './command.ts';

/** A warning as kubectl's own log writes it: `W0102 15:04:05.000000    1 helpers.go:703] …`. klog.Warning */
export function klogWarning({ client, warn }: CommandContext, at: string, text: string): void {
  const [, month, day, time] = /^\d+-(\d\d)-(\d\d)T(.*)Z$/.exec(new Date(client.actor.simulation.wallTime).toISOString()) ?? [];
  warn(`W${month}${day} ${time}000       1 ${at}] ${text}`);
}
