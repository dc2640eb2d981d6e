import type { KubernetesObject } from '../../api/object.ts';
import type { Session } from '../app/session.ts';
import { displayNameOf } from '../model/field.ts';
import { withoutHeartbeat } from '../model/noise.ts';
import { changedPaths } from '../model/object-diff.ts';
import { shortStatus } from '../model/object-status.ts';
import { keyOfObject, ownerTree } from '../model/owner-tree.ts';
import { entryAt } from '../model/run-view.ts';
import { sentenceOf } from '../model/sentence.ts';
import { padCells, truncate } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import type { Words } from '../words/en.ts';
import { type Line, span } from './span.ts';

const GAP = 3;

/** Two branches side by side: what they share, what happened in each after that, and which objects differ in the end. */
export function compareContent(
  session: Session,
  names: string,
  { width, words }: { width: number; words: Words },
): { title: string; lines: Line[] } {
  const [nameA = '', nameB = ''] = names.split(' ');
  const [a, b] = [nameA, nameB].map((name) => session.family.branches.find((branch) => branch.name === name));
  const title = words.views.compare(nameA, nameB);
  if (!a || !b) return { title, lines: [] };
  for (const branch of [a, b]) branch.timeline.extend();
  const half = Math.floor((width - GAP) / 2);
  const shared = sharedEntries(a, b);
  const [left = [], right = []] = [a, b].map((branch) => eventsAfter(branch, shared, { width: half, words }));
  const lines: Line[] = [[span(` ${words.views.compareSame(a.timeline.rowOf(shared) + 1)}`, 'dim')], row([nameA, nameB], half, 'title')];
  for (let at = 0; at < Math.max(left.length, right.length); at++) lines.push(row([left[at] ?? '', right[at] ?? ''], half, 'text'));
  return { title, lines: [...lines, [], ...objectLines(a, b, { half, words })] };
}

function row([left, right]: readonly [string, string], half: number, token: 'title' | 'text'): Line {
  return [span(padCells(left, half), token), span(' | ', 'border'), span(right, token)];
}

/** The last entry that both runs have. */
function sharedEntries(a: Session, b: Session): number {
  let seq = a.timeline.first - 1;
  for (;;) {
    const [one, other] = [entryAt(a.run, seq + 1), entryAt(b.run, seq + 1)];
    if (!one || !other || one.time !== other.time || one.actor !== other.actor || one.kind !== other.kind || one.cause !== other.cause)
      return seq;
    if (one.kind === 'input' && other.kind === 'input' && one.text !== other.text) return seq;
    seq++;
  }
}

function eventsAfter({ run, timeline }: Session, shared: number, { width, words }: { width: number; words: Words }): string[] {
  return timeline.rows.slice(timeline.rowOf(shared) + 1).flatMap((seq) => {
    const entry = entryAt(run, seq);
    if (!entry || entry.kind === 'watch' || (entry.kind === 'reconcile' && entry.what === 'start')) return [];
    const { who, what } = sentenceOf(run, entry, words.telling);
    return [truncate(` ${formatVirtualTime(entry.time).padStart(9)} ${who} ${what}`, width)];
  });
}

function objectLines(a: Session, b: Session, { half, words }: { half: number; words: Words }): Line[] {
  const [left, right] = [objectsOf(a), objectsOf(b)];
  const different = [...new Set([...left.keys(), ...right.keys()])].filter((key) => {
    const [one, other] = [left.get(key), right.get(key)];
    return !one || !other || changedPaths(comparable(one), comparable(other)).length > 0;
  });
  const text = (object: KubernetesObject | undefined): string =>
    object ? ` ${displayNameOf(object)}  ${shortStatus(object, words).text}` : ' -';
  const head: Line = [span(` ${different.length ? words.views.compareOnly : words.views.compareAlike}`, 'title')];
  return [head, ...different.map((key) => row([truncate(text(left.get(key)), half), truncate(text(right.get(key)), half)], half, 'text'))];
}

function objectsOf({ run, timeline }: Session): Map<string, KubernetesObject> {
  const objects = ownerTree(run.listObjects(timeline.revisionAt(timeline.last)), false);
  return new Map(objects.map(({ object }) => [keyOfObject(object), object]));
}

/** Without what is different in every run: when, and which generated name. */
function comparable(object: KubernetesObject): object {
  const {
    creationTimestamp: _,
    uid: __,
    resourceVersion: ___,
    generation: ____,
    ownerReferences: _____,
    ...metadata
  } = withoutHeartbeat(object).metadata;
  return { ...object, metadata };
}
