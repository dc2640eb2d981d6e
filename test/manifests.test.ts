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

  it('a load on the front end of online-boutique makes an autoscaler act', async () => {
    const { cluster, results } = await runScenario(underLoad(), { digest: true });
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    const { stdout } = await cluster.kubectl(['top', 'pods', '-l', 'app=frontend']);
    // 300 requests/s at 1 ms each, shared among five; a little for the probes.
    expect(stdout.slice(1).map((line) => /\d+m/.exec(line)?.[0])).toEqual(Array.from({ length: 5 }, () => '62m'));
  });
});

const underLoad = () =>
  parseScenario(
    `
title: online-boutique under load
nodes: 3
addons: { metrics-server: }
steps:
  - apply: online-boutique.yaml
  - apply: |
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: frontend }
      spec:
        scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: frontend }
        minReplicas: 1
        maxReplicas: 10
        metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }]
  - wait: { until: settled, within: 30m }
  - load: { service: frontend, requestsPerSecond: 300 }
  - wait: { until: { kind: Deployment, name: frontend, field: status.readyReplicas, equals: 5 }, within: 10m }
  - wait: 2m
expect:
  - eventually: { verb: update, kind: Deployment, by: horizontal-pod-autoscaler, field: spec.replicas, equals: 5 }
  - finally: { kind: Deployment, name: frontend, field: status.readyReplicas, equals: 5 }
`,
    'under-load.yaml',
    (name) => readFileSync(join(folder ?? '', name), 'utf8'),
  );
