import { installDatabaseOperator, SERVICE_ACCOUNT } from '../../../components/database-operator/manifests.ts';
import { type DatabaseOperatorConfig, runDatabaseOperator } from '../../../components/database-operator/server.ts';
import type { ApiRequest, UserInfo } from '../../../src/api/request.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { LabSystem } from './system.ts';

/** How a case asks for a replica. */
interface StartOperator {
  readonly id: string;
  readonly namespace?: string;
  readonly leaderElection?: boolean;
  readonly releaseOnCancel?: boolean;
  readonly crashAt?: string;
}

interface StopOperator {
  readonly id: string;
  readonly signal?: string;
}

const { namespace: ACCOUNT_NAMESPACE, name: ACCOUNT } = SERVICE_ACCOUNT;
const USER: UserInfo = {
  username: `system:serviceaccount:${ACCOUNT_NAMESPACE}:${ACCOUNT}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${ACCOUNT_NAMESPACE}`, 'system:authenticated'],
};

interface CrashPoint {
  readonly when: 'unsent' | 'answered';
  readonly at: (request: ApiRequest) => boolean;
}

const writes = ({ info }: ApiRequest, verb: string, resource: string): boolean =>
  info.verb === verb && info.resource === resource && info.subresource === '';
const hasFinalizer = ({ body }: ApiRequest): boolean => !!(body as { metadata: { finalizers?: string[] } }).metadata.finalizers?.length;

/** Where a replica may be told to crash, as seen from outside of it: by what it sends. */
const CRASH_POINTS: Readonly<Record<string, CrashPoint>> = {
  'finalizer-added': { when: 'answered', at: (request) => writes(request, 'update', 'databases') && hasFinalizer(request) },
  'service-created': { when: 'answered', at: (request) => writes(request, 'create', 'services') },
  'statefulset-created': { when: 'answered', at: (request) => writes(request, 'create', 'statefulsets') },
  'before-finalizer-removed': { when: 'unsent', at: (request) => writes(request, 'update', 'databases') && !hasFinalizer(request) },
  'job-created': { when: 'answered', at: (request) => writes(request, 'create', 'jobs') },
};

const actorName = (id: string): string => `database-operator-${id}`;

export const OPERATOR_LAB: LabSystem = {
  prepare: async (cluster, { needs = '' }) => {
    if (!needs.includes('/lab/operator')) return;
    await cluster.call(installDatabaseOperator);
    // The recorded cluster had known the definitions for long: the garbage collector looks for new ones every 30 s.
    await cluster.advance(60_000);
  },
  routes: {
    '/lab/operator/start': ({ cluster, body }) => start(cluster, body as StartOperator),
    '/lab/operator/stop': ({ cluster, body }) => stop(cluster, body as StopOperator),
    '/lab/operator/state': ({ cluster, query }) => ({
      ok: true,
      running: isRunning(cluster, query.get('id') ?? ''),
    }),
  },
};

/** The configuration that each replica was last started with. */
const CONFIGS = new WeakMap<Cluster, Map<string, DatabaseOperatorConfig>>();

function start(cluster: Cluster, { id, namespace, leaderElection, releaseOnCancel, crashAt }: StartOperator): void {
  const name = actorName(id);
  const configs = CONFIGS.get(cluster) ?? new Map<string, DatabaseOperatorConfig>();
  CONFIGS.set(cluster, configs);
  configs.set(id, {
    ...(namespace === undefined ? {} : { namespace }),
    ...(leaderElection ? { leaderElection: { namespace: namespace ?? ACCOUNT_NAMESPACE, releaseOnCancel: releaseOnCancel ?? false } } : {}),
  });
  if (crashAt !== undefined) {
    const point = CRASH_POINTS[crashAt];
    if (!point) throw new Error(`there is no such point: ${crashAt}`);
    cluster.network.failNext(name, (request) => (point.at(request) ? { carriedOut: true, crash: point.when } : undefined));
  }
  const actor =
    cluster.simulation.actors.get(name) ??
    cluster.addProcess(name, USER, (actor, client) => runDatabaseOperator({ actor, client, config: configs.get(id) ?? {} }));
  actor.start();
}

/** Answers when the process has ended. A process that a signal has killed has no exit code. */
async function stop(cluster: Cluster, { id, signal = 'SIGTERM' }: StopOperator): Promise<{ ok: true; exitCode: number | null }> {
  const actor = cluster.simulation.actors.get(actorName(id));
  if (signal === 'SIGKILL' || !actor || actor.state === 'crashed') {
    actor?.crash();
    return { ok: true, exitCode: null };
  }
  const ended = new Promise<void>((resolve) => {
    const stopListening = cluster.simulation.trace.listen((entry) => {
      if (entry.kind !== 'actor' || entry.actor !== actor.name || entry.what !== 'crashed') return;
      stopListening();
      resolve();
    });
  });
  actor.terminate();
  await ended;
  return { ok: true, exitCode: 0 };
}

function isRunning(cluster: Cluster, id: string): boolean {
  const { state = 'crashed' } = cluster.simulation.actors.get(actorName(id)) ?? {};
  return state !== 'crashed';
}
