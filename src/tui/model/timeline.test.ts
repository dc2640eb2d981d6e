import { describe, expect, test } from 'vitest';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
import { ArrayRunView } from './array-run-view.ts';
import { entryAt } from './run-view.ts';
import { sentenceOf } from './sentence.ts';
import { Timeline } from './timeline.ts';

describe('Timeline', () => {
  test('chooses what a person steps through: no heartbeat, no delivery that nobody reacted to', () => {
    const run = deleteAPod();
    const timeline = new Timeline(run);
    const told = timeline.rows.slice(timeline.rowOf(64)).map((seq) => {
      const entry = entryAt(run, seq);
      return entry ? `${entry.kind} ${sentenceOf(run, entry).who}` : '';
    });
    expect(told).toEqual([
      'input you',
      'write kube-apiserver',
      'watch kube-controller-manager',
      'reconcile replicaset-controller',
      'watch kubelet/n1',
      'runtime kubelet/n1',
      'write replicaset-controller',
      'watch kube-scheduler',
      'decision kube-scheduler',
      'write kube-scheduler',
      'watch kubelet/n2',
      'runtime kubelet/n2',
      'write kubelet/n2',
      'runtime kubelet/n1',
      'write kubelet/n1',
    ]);
  });

  test('a turn is all that an actor does for one reason', () => {
    const run = deleteAPod();
    const timeline = new Timeline(run);
    const turns = new Map<number, string[]>();
    for (const seq of timeline.rows.slice(timeline.rowOf(64))) {
      const turn = timeline.turnOf(seq);
      turns.set(turn, [...(turns.get(turn) ?? []), entryAt(run, seq)?.kind ?? '']);
    }
    expect([...turns.values()]).toEqual([
      ['input', 'write'],
      ['watch', 'reconcile', 'write'],
      ['watch', 'runtime'],
      ['watch', 'decision', 'write'],
      ['watch'],
      ['runtime', 'write'],
      ['runtime', 'write'],
    ]);
  });

  test('growing entry by entry gives what one look gives', () => {
    const whole = deleteAPod();
    const once = new Timeline(whole);
    const growing = Object.assign(Object.create(whole) as ArrayRunView, { entries: [] as typeof whole.entries });
    growing.readObject = (reference, revision) => whole.readObject(reference, revision);
    const timeline = new Timeline(growing);
    for (const entry of whole.entries) {
      growing.entries.push(entry);
      timeline.extend();
    }
    expect(timeline.rows).toEqual(once.rows);
    expect(timeline.marks).toEqual(once.marks);
    expect(whole.entries.map(({ seq }) => timeline.revisionAt(seq))).toEqual(whole.entries.map(({ seq }) => once.revisionAt(seq)));
  });

  test('a trace that has lost its beginning', () => {
    const whole = deleteAPod();
    const tail = new ArrayRunView({ entries: whole.entries.slice(60), epoch: whole.epoch, versions: [] });
    const timeline = new Timeline(tail);
    expect(timeline.first).toBe(61);
    expect(timeline.rows[0]).toBeGreaterThanOrEqual(61);
    expect(timeline.rowOf(60)).toBe(-1);
    expect(entryAt(tail, 60)).toBeUndefined();
    expect(entryAt(tail, 61)?.seq).toBe(61);
  });

  test('an empty run', () => {
    const timeline = new Timeline(new ArrayRunView({ entries: [], epoch: 0, versions: [] }));
    expect([timeline.rows, timeline.last, timeline.rowOf(5), timeline.revisionAt(5)]).toEqual([[], 0, -1, 0]);
  });
});
