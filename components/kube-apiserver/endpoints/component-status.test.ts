import { expect, test } from 'vitest';
import { type Outbound, OutboundError } from '../../../src/api/outbound.ts';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const AT = '/api/v1/componentstatuses';
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

/** Only the scheduler is up. */
const localhost: Outbound = async ({ url }) => {
  if (url === 'https://127.0.0.1:10259/healthz') return { status: 200, headers: {}, body: 'ok' };
  throw new OutboundError('dial tcp 127.0.0.1:10257: connect: connection refused');
};

test('tells of each component whether it answers', async () => {
  const { body, warnings } = await new TestApiserver({ localhost }).send(`GET ${AT}`, undefined, table);
  expect(warnings).toEqual(['299 - "v1 ComponentStatus is deprecated in v1.19+"']);
  expect(body.rows.map(({ cells }: { cells: unknown }) => cells)).toEqual([
    ['controller-manager', 'Unhealthy', 'Get "https://127.0.0.1:10257/healthz": dial tcp 127.0.0.1:10257: connect: connection refused', ''],
    ['etcd-0', 'Healthy', 'ok', ''],
    ['scheduler', 'Healthy', 'ok', ''],
  ]);
});

test('one of them, by name or by selector', async () => {
  const api = new TestApiserver({ localhost });
  const scheduler = { metadata: { name: 'scheduler' }, conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] };
  expect((await api.send(`GET ${AT}/scheduler`)).body).toEqual({ kind: 'ComponentStatus', apiVersion: 'v1', ...scheduler });
  expect((await api.send(`GET ${AT}?fieldSelector=metadata.name%3Dscheduler`)).body.items).toEqual([scheduler]);
  expect((await api.send(`GET ${AT}/other`)).body.message).toBe('componentstatus "other" not found');
});
