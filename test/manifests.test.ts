// Goal: published manifests of real applications come up as they are. They are other people's files: the folder comes from BOTTLESHIP_MANIFESTS, and without it this skips.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../src/api/kinds/apps-v1.ts';
import { objectsAt } from '../src/cluster/history.ts';
import { formatRecording, parseRecording } from '../src/scenario/recording.ts';
import { replay } from '../src/scenario/replay.ts';
import { runScenario, type ScenarioRun } from '../src/scenario/run-scenario.ts';
import { parseScenario } from '../src/scenario/scenario.ts';

const folder = process.env['BOTTLESHIP_MANIFESTS'];

const scenario = (manifest: string, label: string) =>
  parseScenario(
    `
title: ${manifest}
nodes: 3
steps:
  - apply: ${manifest}
  - wait: { until: settled, within: 30m }
  - pick: { pod: { kind: Pod, labels: { ${label} } } }
  - kubectl: delete pod {pod}
  - wait: { until: settled, within: 30m }
expect:
  - before: { first: { kind: Pod, verb: create, by: replicaset-controller }, then: { kind: Pod, verb: delete, by: 'system:node:*' } }
  - eventually: { after: { verb: update, kind: Pod, by: kubernetes-admin }, match: { kind: EndpointSlice, verb: update, by: endpointslice-controller } }
`,
    'manifests.yaml',
    (name) => readFileSync(join(folder ?? '', name), 'utf8'),
  );

async function play(manifest: string, label: string): Promise<ScenarioRun & { digest: string }> {
  const run = await runScenario(scenario(manifest, label), { digest: true });
  return { ...run, digest: run.cluster.simulation.trace.digest() };
}

describe.skipIf(!folder)('published manifests (skipped without BOTTLESHIP_MANIFESTS)', () => {
  it.each([
    ['online-boutique.yaml', 'app: frontend', 12],
    ['guestbook.yaml', 'app: guestbook', 3],
  ])('%s comes up, heals, and does so the same way twice and from its recording', async (manifest, label, count) => {
    const first = await play(manifest, label);
    const { cluster, results } = first;
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    const deployments = objectsAt(cluster).filter(({ kind }) => kind === 'Deployment') as Deployment[];
    expect(deployments).toHaveLength(count);
    for (const { metadata, spec, status } of deployments)
      expect([metadata.name, status?.availableReplicas]).toEqual([metadata.name, spec?.replicas]);
    expect((await play(manifest, label)).digest).toBe(first.digest);
    const { simulation } = cluster;
    const end = { events: simulation.executed, time: simulation.now };
    const recording = formatRecording({ title: manifest, config: cluster.config, inputs: simulation.inputs, end, digest: first.digest });
    expect((await replay(parseRecording(recording, 'run.json'))).same).toBe(true);
  });
});
