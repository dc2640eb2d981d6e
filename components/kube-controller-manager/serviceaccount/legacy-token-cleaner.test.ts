import { expect, it } from 'vitest';
import { configmaps, secrets, serviceaccounts } from '../../../src/api/resources.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const DAY_MS = 24 * 3_600_000;
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const TRACKING = { namespace: 'kube-system', name: 'kube-apiserver-legacy-service-account-token-tracking' };
const at = { namespace: 'default', name: 'robot-token-x' };

// Goal: tokens that nobody uses go, but not at once. Method: the first pass and that of the next day; the test sets dates back by years.

it('marks a token that nobody has used for a year, and deletes it after another one', async () => {
  const plane = new ControlPlane(['legacy-serviceaccount-token-cleaner-controller']);
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  await plane.act(async (client) => {
    const tracked = await client.resource(configmaps).get(TRACKING);
    expect(tracked.data).toEqual({ since: '2026-01-01' });
    await client.resource(configmaps).patch(TRACKING, { data: { since: '2024-01-01' } }, { type: 'merge' });
    const metadata = { namespace: 'default', name: 'robot' };
    await client.resource(serviceaccounts).create({ metadata, secrets: [{ name: at.name }] });
    const type = 'kubernetes.io/service-account-token';
    await client.resource(secrets).create({ metadata: { ...at, annotations, labels: { [LAST_USED]: '2024-12-01' } }, type });
  });
  const labels = async (): Promise<unknown> => (await plane.act((client) => client.resource(secrets).get(at))).metadata.labels;
  await plane.simulation.advance(1_000);
  expect(await labels()).toEqual({ [LAST_USED]: '2024-12-01', [INVALID_SINCE]: '2026-01-01' });
  const marked = { metadata: { labels: { [INVALID_SINCE]: '2024-12-31' } } };
  await plane.act((client) => client.resource(secrets).patch(at, marked, { type: 'merge' }));
  await plane.simulation.advance(DAY_MS);
  await expect(labels()).rejects.toSatisfy(isNotFound);
});
