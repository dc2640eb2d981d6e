import type { UserInfo } from '../../src/api/request.ts';
import type { Client } from '../../src/client/client.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import type { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { KubeControllerManagerConfiguration } from './config.ts';

/** What a controller gets to work with: pkg cmd/kube-controller-manager/app ControllerContext. */
export interface ControllerContext {
  readonly actor: Actor;
  readonly config: KubeControllerManagerConfiguration;
  /** Caches that all controllers share: one watch per resource. Register handlers while starting; the caches start after all controllers have. */
  readonly informers: SharedInformerFactory;
  /** The process itself, `system:kube-controller-manager`. */
  readonly rootClient: Client;
  /** The client of a controller's account, e.g. `deployment-controller`; the same object each time. */
  clientFor(account: string): Client;
  /** A recorder whose events name `component` as their source, sent by `account` (the component's name if absent). */
  recorderFor(component: string, account?: string): EventRecorder;
  /** Calls `run` once the shared caches have synced: start workers and loops there. */
  onceSynced(run: () => void | Promise<void>): void;
}

/** Registers event handlers and queues at once, and starts workers in `context.onceSynced`. Runs again, from nothing, after each restart of the process. */
export type StartController = (context: ControllerContext) => void;

const SERVICE_ACCOUNTS = 'system:serviceaccounts';
const NAMESPACE = 'kube-system';

/** The user that a controller with an account of its own is: --use-service-account-credentials. */
export function controllerUser(account: string): UserInfo {
  return {
    username: `system:serviceaccount:${NAMESPACE}:${account}`,
    groups: [SERVICE_ACCOUNTS, `${SERVICE_ACCOUNTS}:${NAMESPACE}`, 'system:authenticated'],
  };
}

/** `run` collects what to start after the caches: see `ControllerContext.onceSynced`. */
export function newControllerContext(options: {
  actor: Actor;
  client: Client;
  config: KubeControllerManagerConfiguration;
  informers: SharedInformerFactory;
  onceSynced: (run: () => void | Promise<void>) => void;
}): ControllerContext {
  const clients = new Map<string, Client>();
  const clientFor = (account: string): Client => {
    const known = clients.get(account);
    if (known) return known;
    const client = options.client.as(controllerUser(account), `${options.client.userAgent}/${account}`);
    clients.set(account, client);
    return client;
  };
  return {
    actor: options.actor,
    config: options.config,
    informers: options.informers,
    rootClient: options.client,
    clientFor,
    recorderFor: (component, account = component) => new EventRecorder({ client: clientFor(account), component }),
    onceSynced: options.onceSynced,
  };
}
