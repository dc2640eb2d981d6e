import type { PolicyRule } from '../../src/api/kinds/rbac-v1.ts';
import { mutatingwebhookconfigurations } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { unlessThere } from '../../src/client/install.ts';

/** Its name in the cluster: that of its account and of its configuration. */
export const POD_IDENTITY_WEBHOOK = 'pod-identity-webhook';
/** It runs beside kube-apiserver and listens there. */
export const POD_IDENTITY_WEBHOOK_PORT = 23443;

export const POD_IDENTITY_WEBHOOK_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'list', 'watch'] },
];

/** Has kube-apiserver ask the webhook about new pods. Without an answer they come in as they are. */
export async function installPodIdentityWebhook(client: Client): Promise<void> {
  const url = `https://127.0.0.1:${POD_IDENTITY_WEBHOOK_PORT}/mutate`;
  const skip = { key: 'eks.amazonaws.com/skip-pod-identity-webhook', operator: 'DoesNotExist' };
  const webhook = {
    name: 'iam-for-pods.amazonaws.com',
    clientConfig: { url },
    failurePolicy: 'Ignore',
    matchPolicy: 'Equivalent',
    objectSelector: { matchExpressions: [skip] },
    reinvocationPolicy: 'IfNeeded',
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 10,
  };
  await unlessThere(
    client.resource(mutatingwebhookconfigurations).create({ metadata: { name: POD_IDENTITY_WEBHOOK }, webhooks: [webhook] }),
  );
}
