// Goal: the same seed and inputs give the same bytes, however the run is watched. Method: scenarios that the package ships are played twice, recorded, and replayed.
import { describe, expect, it } from 'vitest';
import { loadScenario, shippedScenarios } from '../src/cli/play.ts';
import { formatRecording, parseRecording, type Recording, RecordingError } from '../src/scenario/recording.ts';
import { replay } from '../src/scenario/replay.ts';
import { runScenario } from '../src/scenario/run-scenario.ts';

async function record(name: string, seed = '1'): Promise<Recording> {
  const scenario = loadScenario(name);
  const { cluster, results } = await runScenario(scenario, { seed, digest: true });
  expect(results.filter(({ ok }) => !ok).map(({ expectation, found }) => `${expectation.text}: ${found}`)).toEqual([]);
  const { simulation } = cluster;
  const end = { events: simulation.executed, time: simulation.now };
  return parseRecording(
    formatRecording({ title: scenario.title, config: cluster.config, inputs: simulation.inputs, end, digest: simulation.trace.digest() }),
    `${name}.json`,
  );
}

describe.each(shippedScenarios())('%s', (name) => {
  it('meets what it expects, twice the same, and once more from its recording', async () => {
    const first = await record(name);
    expect((await record(name)).digest).toBe(first.digest);
    const again = await replay(first);
    expect([again.complete, again.same]).toEqual([true, true]);
  });
});

describe('a recording', () => {
  it('differs with the seed', async () => {
    expect((await record('delete-a-pod', '2')).digest).not.toBe((await record('delete-a-pod', '1')).digest);
  });

  it('can be left at any moment, and goes on differently from there', async () => {
    const recording = await record('delete-a-pod');
    const { cluster, complete } = await replay(recording, { at: recording.end.time - 2_000 });
    expect([complete, cluster.simulation.now]).toEqual([false, recording.end.time - 2_000]);
    const { code, stdout } = await cluster.kubectl(['scale', 'deployment/web', '--replicas=1']);
    expect([code, stdout]).toEqual([0, ['deployment.apps/web scaled']]);
    await cluster.settle();
    expect(cluster.simulation.trace.digest()).not.toBe(recording.digest);
  });

  it('can be left at any event', async () => {
    const recording = await record('delete-a-pod');
    const { cluster, complete } = await replay(recording, { at: { entry: 1_500 } });
    const { trace, now } = cluster.simulation;
    expect([complete, trace.last >= 1_500, now < recording.end.time]).toEqual([false, true, true]);
    const whole = await replay(recording);
    expect(trace.entries).toEqual(whole.cluster.simulation.trace.entries.slice(0, trace.last));
  });

  it('of another version, edited, or of something else is said to be so', async () => {
    const recording = await record('delete-a-pod');
    const text = (changes: object): string => JSON.stringify({ ...recording, ...changes });
    expect(() => parseRecording(text({ bottleship: '0.0.1' }), 'r.json')).toThrow(
      new RecordingError('r.json: recorded by bottleship 0.0.1, this is 0.1.0; a run is only the same within one version: record it anew'),
    );
    expect(() => parseRecording(text({ digest: 'x' }), 'r.json')).toThrow(
      'r.json: the recording was changed after it was made (its seal does not fit); record it anew',
    );
    expect(() => parseRecording('{}', 'r.json')).toThrow(
      'r.json: this is not a recording: it has no fields bottleship, inputs, end and digest',
    );
    expect(() => parseRecording('not json', 'r.json')).toThrow('r.json: this is not a recording: ');
  });
});
