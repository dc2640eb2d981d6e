import type { Signal } from '../process.ts';

const BY_NAME: Readonly<Record<string, Signal>> = {
  HUP: 'SIGHUP',
  INT: 'SIGINT',
  QUIT: 'SIGQUIT',
  KILL: 'SIGKILL',
  USR1: 'SIGUSR1',
  USR2: 'SIGUSR2',
  TERM: 'SIGTERM',
  '1': 'SIGHUP',
  '2': 'SIGINT',
  '3': 'SIGQUIT',
  '9': 'SIGKILL',
  '10': 'SIGUSR1',
  '12': 'SIGUSR2',
  '15': 'SIGTERM',
};

/** A signal as people write it: `TERM`, `SIGTERM`, `15`. */
export function signalOf(name: string): Signal | undefined {
  return BY_NAME[name.toUpperCase().replace(/^SIG/, '')];
}
