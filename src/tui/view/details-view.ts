import type { KubernetesObject } from '../../api/object.ts';
import type { Moment, Session } from '../app/session.ts';
import { displayNameOf, listField, textField } from '../model/field.ts';
import { shortStatus } from '../model/object-status.ts';
import { keyOfObject, objectKey } from '../model/owner-tree.ts';
import { sentenceOf } from '../model/sentence.ts';
import { padCells, truncate } from '../text/cells.ts';
import { formatVirtualTime, virtualTimeOf } from '../text/format-time.ts';
import type { Words } from '../words/en.ts';
import { type Line, span } from './span.ts';

const MAX_HISTORY = 40;
const LABEL = 14;

interface Shown {
  readonly object: KubernetesObject;
  readonly width: number;
  readonly words: Words;
}

/** One object at one moment: what it is, whom it belongs to, its conditions, its containers, its events, and what has happened to it so far. */
export function detailLines(session: Session, moment: Moment, { object, width, words }: Shown): Line[] {
  const { metadata } = object;
  const { facts } = words.views;
  const fact = (label: string, text: string): Line => [span(` ${padCells(label, LABEL)}`, 'dim'), span(text)];
  const created = virtualTimeOf(metadata.creationTimestamp, session.run.epoch);
  const status = shortStatus(object, words);
  const lines: Line[] = [
    fact(facts.name, displayNameOf(object)),
    fact(facts.status, status.text || '-'),
    ...(created === undefined ? [] : [fact(facts.created, `t=${formatVirtualTime(created)}`)]),
    ...(metadata.ownerReferences ?? []).map((owner) => fact(facts.owner, `${owner.kind} ${owner.name}`)),
    ...(metadata.labels ? [fact(facts.labels, pairs(metadata.labels))] : []),
    ...(metadata.finalizers ? [fact(facts.finalizers, metadata.finalizers.join(', '))] : []),
    ...(metadata.deletionTimestamp ? [fact(facts.deletion, facts.dueAt(metadata.deletionTimestamp))] : []),
  ];
  lines.push(...section(facts.conditions, conditionLines(object)), ...section(facts.containers, containerLines(object)));
  lines.push(
    ...section(facts.events, eventLines(session, moment, object)),
    ...section(facts.history, historyLines(session, moment, { object, width, words })),
  );
  return lines;
}

function section(title: string, lines: Line[]): Line[] {
  return lines.length === 0 ? [] : [[], [span(` ${title}`, 'title')], ...lines];
}

function pairs(map: Readonly<Record<string, string>>): string {
  return Object.entries(map)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

function conditionLines(object: KubernetesObject): Line[] {
  return listField(object, 'status', 'conditions').map((condition): Line => {
    const why = [textField(condition, 'reason'), textField(condition, 'message')].filter(Boolean).join(': ');
    const good = textField(condition, 'status') === 'True';
    return [
      span(`   ${textField(condition, 'type').padEnd(28)}`),
      span(textField(condition, 'status').padEnd(8), good ? 'good' : 'busy'),
      span(why, 'dim'),
    ];
  });
}

function containerLines(object: KubernetesObject): Line[] {
  const statuses = [...listField(object, 'status', 'initContainerStatuses'), ...listField(object, 'status', 'containerStatuses')];
  return statuses.map((status): Line => {
    const state = status.state as Record<string, unknown> | undefined;
    const name = Object.keys(state ?? {})[0] ?? 'waiting';
    const reason = textField(state, name, 'reason');
    return [
      span(`   ${textField(status, 'name').padEnd(28)}`),
      span(`${name}${reason ? ` (${reason})` : ''}, restarts ${String(status.restartCount ?? 0)}, ${textField(status, 'image')}`),
    ];
  });
}

/** What components noted about it, as `kubectl describe` lists it. */
function eventLines(session: Session, moment: Moment, object: KubernetesObject): Line[] {
  const { uid, name } = object.metadata;
  const about = session.run.listObjects(moment.revision).filter((candidate) => {
    if (candidate.kind !== 'Event') return false;
    const involved = listInvolved(candidate);
    return involved.uid ? involved.uid === uid : involved.kind === object.kind && involved.name === name;
  });
  return about.map((event): Line => {
    const message = textField(event, 'message') || textField(event, 'note');
    const source =
      textField(event, 'source', 'component') || textField(event, 'reportingComponent') || textField(event, 'reportingController');
    const warning = textField(event, 'type') === 'Warning';
    return [
      span(`   ${textField(event, 'type').padEnd(8)} `, warning ? 'bad' : 'text'),
      span(`${textField(event, 'reason').padEnd(20)} `),
      span(`${source}: `, 'dim'),
      span(message),
    ];
  });
}

function listInvolved(event: KubernetesObject): { uid: string; kind: string; name: string } {
  const path = textField(event, 'involvedObject', 'kind') ? 'involvedObject' : 'regarding';
  return { uid: textField(event, path, 'uid'), kind: textField(event, path, 'kind'), name: textField(event, path, 'name') };
}

/** The last things that happened to it, newest last. */
function historyLines(session: Session, moment: Moment, { object, width, words }: Shown): Line[] {
  const key = keyOfObject(object);
  const lines: Line[] = [];
  for (let at = session.timeline.rowOf(moment.entry?.seq ?? 0); at >= 0 && lines.length < MAX_HISTORY; at--) {
    const entry = session.run.entries[(session.timeline.rows[at] ?? 0) - session.timeline.first];
    if (!entry || entry.kind === 'watch' || !('object' in entry) || !entry.object || objectKey(entry.object) !== key) continue;
    const { who, what } = sentenceOf(session.run, entry, words.telling);
    const text = truncate(`${formatVirtualTime(entry.time).padStart(11)}  ${padCells(who, 24)} ${what}`, width - 4);
    lines.unshift([span(`   ${text}`)]);
  }
  return lines;
}
