import { expect, it } from 'vitest';
import { Cluster } from '../cluster/cluster.ts';
import { formatRecording } from '../scenario/recording.ts';
import { lintRecording } from './lint-recording.ts';

/** A recording in which somebody sent these requests over HTTP. */
async function recordingOf(
  userAgent: string,
  requests: readonly (readonly [method: string, url: string, body?: object])[],
): Promise<string> {
  const config = { nodes: 0 };
  const cluster = new Cluster({ ...config, digest: true });
  await cluster.settle();
  for (const [method, url, body] of requests) {
    const headers = { 'user-agent': userAgent, 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    void cluster.startHttp({ method, url, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    await cluster.settle();
  }
  const { simulation } = cluster;
  const end = { events: simulation.executed, time: simulation.now };
  return formatRecording({ title: 'requests', config, inputs: simulation.inputs, end, digest: simulation.trace.digest() });
}

const NODES = '/api/v1/nodes';
const REQUESTS = [
  ['GET', '/api/v1/secrets'],
  ['POST', NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }],
  ['PATCH', `${NODES}/a`, { status: { phase: 'Odd' } }],
] as const;

it('tells what an operator in any language did, with rule, evidence and remedy', async () => {
  const findings = await lintRecording(await recordingOf('manager/v0.0.0 (linux/amd64) kubernetes/$Format', REQUESTS), 'run.json');
  expect(findings).toEqual([
    expect.stringMatching(
      /^run.json: manager: status-through-main-resource: .*Node a itself.*\n {2}#\d+ [\d.]+s asked to patch .*\n {2}Write the status/,
    ),
    expect.stringMatching(/^run.json: manager: secrets-cluster-wide: .*\n {2}#\d+ [\d.]+s asked to list .*\n {2}Read single secrets/),
  ]);
});

it('says nothing about what people do', async () => {
  expect(await lintRecording(await recordingOf('kubectl/v1.34.3', REQUESTS), 'run.json')).toEqual([]);
});
