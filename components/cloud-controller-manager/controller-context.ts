import type { Client } from '../../src/client/client.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import type { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { CloudControllerManagerConfiguration } from './config.ts';

/** What a controller gets to work with: k8s.io/cloud-provider app ControllerContext. All of them are one user. */
export interface ControllerContext {
  readonly actor: Actor;
  readonly config: CloudControllerManagerConfiguration;
  readonly client: Client;
  readonly informers: SharedInformerFactory;
  /** Calls `run` once the shared caches have synced: start workers and loops there. */
  onceSynced(run: () => void | Promise<void>): void;
}

export type StartController = (context: ControllerContext) => void;

/** A recorder whose events name that component as their source. */
export function recorderFor({ client }: ControllerContext, component: string): EventRecorder {
  return new EventRecorder({ client, component });
}

/** Runs `round` now, and again when `everyMs` have passed since it ended, as wait.UntilWithContext does. Nobody waits for the rounds. */
export async function repeat(actor: Actor, everyMs: number, round: () => Promise<void>): Promise<void> {
  for (;;) {
    await round();
    await actor.sleep(everyMs, 'background');
  }
}
