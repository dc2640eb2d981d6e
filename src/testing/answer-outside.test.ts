import { expect, test } from 'vitest';
import { configmaps } from '../api/resources.ts';
import { answerOutside } from './answer-outside.ts';
import { createTestCluster } from './test-cluster.ts';

const configuration = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: hooks }
webhooks:
  - name: hook.example.com
    clientConfig: { url: https://hooks.test/check }
    rules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps] }]
    namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: default } }
    sideEffects: None
    admissionReviewVersions: [v1]
`;

interface Review {
  readonly request: { readonly uid: string; readonly name: string };
}

test('a fetch handler is a webhook', async () => {
  const handler = async (request: Request): Promise<Response> => {
    const review = (await request.json()) as Review;
    const { uid, name } = review.request;
    if (name === 'broken') throw new Error('dial tcp 10.0.0.9:443: i/o timeout');
    return Response.json({ ...review, response: { uid, allowed: name === 'good', status: { message: 'not good' } } });
  };
  const cluster = await createTestCluster({ nodes: 1, outbound: answerOutside(handler) });
  await cluster.apply(configuration);
  const create = (name: string): Promise<unknown> =>
    cluster.create(configmaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  await create('good');
  await expect(create('bad')).rejects.toThrow('admission webhook "hook.example.com" denied the request: not good');
  await expect(create('broken')).rejects.toThrow('dial tcp 10.0.0.9:443: i/o timeout');
});
