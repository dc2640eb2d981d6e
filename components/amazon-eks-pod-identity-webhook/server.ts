import { answerReview } from '../../src/api/admission-review.ts';
import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import type { Pod, ServiceAccount } from '../../src/api/kinds/core-v1.ts';
import { serviceaccounts } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { SharedInformer } from '../../src/client/informer.ts';
import { type MutatePodConfig, mutatePod } from './mutate-pod.ts';

export interface PodIdentityWebhookConfig extends MutatePodConfig {
  /** Called when it begins to listen. */
  readonly listen: (handle: (call: HttpCall) => HttpAnswer) => void;
}

/** The webhook that gives pods the IAM role of their service account: github.com/aws/amazon-eks-pod-identity-webhook. It asks nobody while it answers: accounts are in its cache. */
export async function runPodIdentityWebhook({
  client,
  config,
}: {
  readonly client: Client;
  readonly config: PodIdentityWebhookConfig;
}): Promise<void> {
  const accounts = new SharedInformer<ServiceAccount>({ client: client.resource(serviceaccounts) });
  accounts.start();
  await accounts.waitForSync();
  config.listen((call) => {
    if (call.path.split('?')[0] !== '/mutate') return { status: 404, body: '404 page not found\n' };
    return answerReview<Pod>(call, ({ object: pod, namespace = '' }) => {
      const account = accounts.store.get(`${namespace}/${pod.spec?.serviceAccountName ?? 'default'}`);
      return mutatePod(pod, account, config);
    });
  });
}
