import type { Secret, ServiceAccount } from '../../../src/api/kinds/core-v1.ts';
import { secrets, serviceaccounts } from '../../../src/api/resources.ts';
import { isConflict, isNotFound } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { retryOnConflict } from '../../../src/client/retry.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import type { Random } from '../../../src/sim/random.ts';
import { ROOT_CA } from '../certificates/rootcacertpublisher/root-ca.ts';
import type { ControllerContext } from '../controller-context.ts';
import { newLegacyToken } from './legacy-token.ts';

const NAME = 'serviceaccount-token-controller';
const TOKEN_TYPE = 'kubernetes.io/service-account-token';
const NAME_ANNOTATION = 'kubernetes.io/service-account.name';
const UID_ANNOTATION = 'kubernetes.io/service-account.uid';
const ACCOUNT_INDEX = 'serviceAccount';
const MAX_RETRIES = 10;
/** tokens_controller.go RemoveTokenBackoff */
const REMOVE_TOKEN_BACKOFF = { steps: 10, durationMs: 100, factor: 1, jitter: 1 };

/** Names an object of a namespace as it was when something happened to it; in the queue its parts are joined by slashes. */
interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** For Secrets: whose token it holds. */
  readonly account?: { readonly name: string; readonly uid: string };
}

/** Fills Secrets that ask for a token of a service account, and deletes those whose account is gone. pkg/controller/serviceaccount/tokens_controller.go TokensController */
class TokensController {
  readonly #actor: Actor;
  readonly #secretClient: ResourceClient<Secret>;
  readonly #accountClient: ResourceClient<ServiceAccount>;
  readonly #secrets: Indexer<Secret>;
  readonly #accounts: Indexer<ServiceAccount>;
  readonly #random: Random;
  readonly #accountQueue: RateLimitingQueue;
  readonly #secretQueue: RateLimitingQueue;

  constructor(context: ControllerContext) {
    const { actor, config, informers } = context;
    this.#actor = actor;
    // The one controller that acts as the process itself: it holds the key by which tokens are signed.
    this.#secretClient = context.rootClient.resource(secrets);
    this.#accountClient = context.rootClient.resource(serviceaccounts);
    informers.forResource(secrets).addIndexers({ [ACCOUNT_INDEX]: accountOf });
    this.#secrets = informers.forResource(secrets).store;
    this.#accounts = informers.forResource(serviceaccounts).store;
    this.#random = actor.simulation.random.fork(`${NAME}/${actor.incarnation}`);
    this.#accountQueue = new RateLimitingQueue({ actor });
    this.#secretQueue = new RateLimitingQueue({ actor });
    const onSecret = (secret: Secret): void => {
      if (secret.type === TOKEN_TYPE) this.#secretQueue.add(keyOfSecret(secret));
    };
    informers.forResource(secrets).addEventHandler({ onAdd: onSecret, onUpdate: (_, secret) => onSecret(secret), onDelete: onSecret });
    informers.forResource(serviceaccounts).addEventHandler({
      onDelete: ({ metadata: { namespace = '', name = '', uid = '' } }) => this.#accountQueue.add([namespace, name, uid].join('/')),
    });
    const workers = config.concurrentSyncs;
    context.onceSynced(() => {
      const run = (what: string, queue: RateLimitingQueue, sync: (key: ObjectKey) => Promise<void>): void =>
        runWorkers({
          actor,
          name: `${NAME} ${what}`,
          queue,
          workers,
          reconcile: (key) => sync(parseKey(key)),
          handleError: (key) => {
            if (queue.numRequeues(key) < MAX_RETRIES) queue.addRateLimited(key);
            else queue.forget(key);
          },
        });
      run('serviceaccounts', this.#accountQueue, (key) => this.#syncServiceAccount(key));
      run('secrets', this.#secretQueue, (key) => this.#syncSecret(key));
    });
  }

  /** tokens_controller.go syncServiceAccount: the tokens of an account go with it. */
  async #syncServiceAccount({ namespace, name, uid }: ObjectKey): Promise<void> {
    if (this.#accounts.get(`${namespace}/${name}`)?.metadata.uid === uid) return;
    for (const secret of this.#secrets.byIndex(ACCOUNT_INDEX, `${namespace}/${name}`)) {
      const owner = secret.metadata.annotations?.[UID_ANNOTATION];
      if (!owner || owner === uid) await this.#deleteToken(secret);
    }
  }

  /** tokens_controller.go syncSecret */
  async #syncSecret({ namespace, name, uid, account }: ObjectKey): Promise<void> {
    if (!account) return;
    const secret = this.#secrets.get(`${namespace}/${name}`);
    if (!secret || secret.metadata.uid !== uid || secret.type !== TOKEN_TYPE) {
      const known = await this.#getServiceAccount(namespace, account, { live: false });
      if (known) await this.#removeSecretReference(known, name);
      return;
    }
    const owner = await this.#getServiceAccount(namespace, account, { live: true });
    if (owner) await this.#generateTokenIfNeeded(owner, secret);
    else await this.#deleteToken(secret);
  }

  /** tokens_controller.go generateTokenIfNeeded */
  async #generateTokenIfNeeded(account: ServiceAccount, cached: Secret): Promise<void> {
    if (isFilled(cached)) return;
    const { namespace, name = '' } = cached.metadata;
    const live = await this.#getSecret(namespace, name);
    // Another version of it is on its way to the cache: it will be looked at then.
    if (!live || live.metadata.uid !== cached.metadata.uid || live.metadata.resourceVersion !== cached.metadata.resourceVersion) return;
    const { data = {} } = live;
    const annotations = {
      ...live.metadata.annotations,
      [NAME_ANNOTATION]: account.metadata.name ?? '',
      [UID_ANNOTATION]: account.metadata.uid ?? '',
    };
    const filled = {
      ...data,
      'ca.crt': btoa(ROOT_CA),
      namespace: data.namespace ?? btoa(namespace ?? ''),
      token: data.token ?? btoa(newLegacyToken(account, live, this.#random)),
    };
    try {
      await this.#secretClient.update({ ...live, metadata: { ...live.metadata, annotations }, data: filled });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  async #getSecret(namespace: string | undefined, name: string): Promise<Secret | undefined> {
    try {
      return await this.#secretClient.get({ namespace, name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** tokens_controller.go getServiceAccount */
  async #getServiceAccount(
    namespace: string,
    { name, uid }: { name: string; uid: string },
    { live }: { live: boolean },
  ): Promise<ServiceAccount | undefined> {
    const isRight = (account: ServiceAccount | undefined): boolean => account !== undefined && (uid === '' || account.metadata.uid === uid);
    const cached = this.#accounts.get(`${namespace}/${name}`);
    if (isRight(cached)) return cached;
    if (!live) return undefined;
    try {
      const found = await this.#accountClient.get({ namespace, name });
      return isRight(found) ? found : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #deleteToken({ metadata: { namespace, name = '', uid = '' } }: Secret): Promise<void> {
    try {
      await this.#secretClient.delete({ namespace, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** tokens_controller.go removeSecretReference */
  async #removeSecretReference(account: ServiceAccount, secretName: string): Promise<void> {
    if (!account.secrets?.some(({ name }) => name === secretName)) return;
    const { namespace, name = '', uid } = account.metadata;
    await retryOnConflict({ actor: this.#actor, backoff: REMOVE_TOKEN_BACKOFF }, async () => {
      const live = await this.#accountClient.get({ namespace, name });
      if (live.metadata.uid !== uid || !live.secrets?.some((reference) => reference.name === secretName)) return;
      await this.#accountClient.update({ ...live, secrets: live.secrets.filter((reference) => reference.name !== secretName) });
    });
  }
}

function accountOf({ type, metadata: { namespace, annotations } }: Secret): string[] {
  const name = annotations?.[NAME_ANNOTATION];
  return type === TOKEN_TYPE && name ? [`${namespace}/${name}`] : [];
}

function keyOfSecret({ metadata: { namespace, name, uid, annotations = {} } }: Secret): string {
  return [namespace, name, uid, annotations[NAME_ANNOTATION] ?? '', annotations[UID_ANNOTATION] ?? ''].join('/');
}

function parseKey(key: string): ObjectKey {
  const [namespace = '', name = '', uid = '', account, accountUid = ''] = key.split('/');
  return { namespace, name, uid, ...(account ? { account: { name: account, uid: accountUid } } : {}) };
}

/** tokens_controller.go secretUpdateNeeded */
function isFilled({ data = {} }: Secret): boolean {
  return data['ca.crt'] === btoa(ROOT_CA) && Boolean(data.namespace) && Boolean(data.token);
}

/** cmd/kube-controller-manager/app/controllermanager.go startServiceAccountTokenController */
export function startServiceAccountTokenController(context: ControllerContext): void {
  new TokensController(context);
}
