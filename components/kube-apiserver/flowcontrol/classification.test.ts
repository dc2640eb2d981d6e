import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const API = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** The names of the schema and the level that an answer names by their uids. */
async function classOf(api: TestApiserver, path: string, headers: Record<string, string> = {}): Promise<string[]> {
  const answer = await api.apiserver.fetch(new Request(`http://apiserver${path}`, { headers }));
  const nameOf = async (plural: string, header: string): Promise<string[]> => {
    const { items } = (await api.send(`GET ${API}/${plural}`)).body;
    const uid = answer.headers.get(header);
    return items.flatMap(({ metadata }: { metadata: { name: string; uid: string } }) => (metadata.uid === uid ? [metadata.name] : []));
  };
  return [
    ...(await nameOf('flowschemas', 'X-Kubernetes-PF-FlowSchema-UID')),
    ...(await nameOf('prioritylevelconfigurations', 'X-Kubernetes-PF-PriorityLevel-UID')),
  ];
}

test('an answer says where its request belongs, also a refusal', async () => {
  const api = new TestApiserver();
  expect(await classOf(api, '/api/v1/pods')).toEqual(['exempt', 'exempt']);
  expect(await classOf(api, '/api/v1/pods', { 'impersonate-user': 'ann' })).toEqual(['global-default', 'global-default']);
  expect(await classOf(api, '/livez', { 'impersonate-user': 'system:anonymous' })).toEqual(['probes', 'exempt']);
  const kubelet = { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' };
  expect(await classOf(api, '/api/v1/nodes/n1', kubelet)).toEqual(['system-node-high', 'node-high']);
  expect(await classOf(api, '/api/v1/namespaces/default/pods/p', kubelet)).toEqual(['system-nodes', 'system']);
});

test('what lasts is not counted', async () => {
  const api = new TestApiserver();
  expect(await classOf(api, '/api/v1/namespaces/default/pods/p/log')).toEqual([]);
});
