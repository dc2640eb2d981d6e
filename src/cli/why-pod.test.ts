import { expect, it } from 'vitest';
import { createCluster } from '../cluster/cluster.ts';
import { JA_TELLING } from '../tui/words/telling-ja.ts';
import { runViewOf } from './run-view.ts';
import { whyPodLines } from './why-pod.ts';

const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: picky}\nspec: {nodeSelector: {disk: ssd}, containers: [{name: c, image: nginx}]}\n';

it('tells why a pod is where it is, and of the attempts before', async () => {
  const cluster = await createCluster({ nodes: 2 });
  await cluster.kubectl(['apply', '-f', 'pod.yaml'], { 'pod.yaml': POD });
  await cluster.settle();
  await cluster.kubectl(['label', 'node', 'n2', 'disk=ssd']);
  await cluster.settle();
  const lines = whyPodLines(runViewOf(cluster), { namespace: 'default', name: 'picky' }) ?? [];
  const text = lines.join('\n');
  expect(text).toContain('\ngoes to n2\n  attempt 2: 2 nodes looked at, 1 fit\n');
  expect(text).toContain("  n1    NodeAffinity  node(s) didn't match Pod's node affinity/selector\n");
  expect(text).toContain('backs off                      NodeLabelChange\n');
  expect(text).toMatch(/\nAttempts before\n {2}#\d+ \d+\.\d+s {2}default\/picky cannot be scheduled: .*[^.]\.\.$/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const told = whyPodLines(runViewOf(cluster), { namespace: 'default', name: 'picky' }, JA_TELLING) ?? [];
  expect(told[0]).toMatch(/^Pod default\/picky、\d+\.\d+sにkube-schedulerが決定\(#\d+\)$/);
  expect(told.join('\n')).toMatch(/\nそれまでの試み\n {2}#\d+ \d+\.\d+s {2}default\/picky スケジュールできません: .*\.\.$/);
});

it('knows nothing of pods that nobody scheduled', async () => {
  const cluster = await createCluster({ nodes: 0 });
  expect(whyPodLines(runViewOf(cluster), { namespace: 'default', name: 'picky' })).toBe(undefined);
});
