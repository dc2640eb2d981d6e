import type { Moment, Session } from '../app/session.ts';
import { type CacheState, cacheKey, cachesAt } from '../model/caches.ts';
import { displayName, displayNameOf } from '../model/field.ts';
import { referenceOf } from '../model/kind-of.ts';
import { shortStatus } from '../model/object-status.ts';
import { cellWidth, padCells, truncate, wrap } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import type { Words } from '../words/en.ts';
import { type Line, span } from './span.ts';

const NAME = 28;
const SEEN = 12;
const BEHIND = 16;
const MAX_BARS = 24;

/** Two views of the truth: the store, and what each component has been told of it, with the lag drawn; then one object in everyone's eyes. */
export function cacheContent(
  session: Session,
  moment: Moment,
  { width, words }: { width: number; words: Words },
): { title: string; lines: Line[] } {
  const { views } = words;
  const caches = cachesAt(session.run, moment.entry?.seq ?? 0);
  const [component = '', seen = '', behind = '', lag = ''] = views.cacheHead;
  const note = wrap(views.cacheNote, width - 2).map((text): Line => [span(` ${text}`, 'dim')]);
  const lines: Line[] = [
    [span(` ${views.cacheStore(moment.revision)}`, 'title')],
    [],
    [span(` ${padCells(component, NAME)}${padCells(seen, SEEN)}${padCells(behind, BEHIND)}${lag}`, 'dim')],
    ...caches.flatMap((cache) => cacheLines(cache, moment, { width, words })),
    [],
    ...note,
    ...objectLines(session, moment, { caches, words }),
  ];
  return { title: views.cache, lines };
}

function cacheLines({ actor, revision, behind }: CacheState, moment: Moment, { width, words }: { width: number; words: Words }): Line[] {
  const { views } = words;
  const known = revision > 0 ? `rv ${revision}` : views.cacheNever;
  const oldest = behind[0];
  const late = oldest && moment.entry ? ` ${formatVirtualTime(moment.entry.time - oldest.time)}` : '';
  const bar = '#'.repeat(Math.min(MAX_BARS, behind.length)) + (behind.length > MAX_BARS ? '..' : '');
  const lines: Line[] = [
    [
      span(` ${padCells(actor, NAME)}`, behind.length ? 'busy' : 'text'),
      span(padCells(known, SEEN)),
      span(padCells(behind.length ? views.cacheBehind(behind.length) : views.cacheUpToDate, BEHIND), behind.length ? 'busy' : 'good'),
      span(`${bar}${late}`, 'changed'),
    ],
  ];
  if (behind.length === 0) return lines;
  const names = behind.map(({ object, verb, revision: written }) => `${displayName(object)} (${verb}, rv ${written})`).join(', ');
  return [...lines, [span(`    ${truncate(names, width - 6)}`, 'dim')]];
}

/** The selected object as the store has it, and as each component was last told. */
function objectLines(session: Session, moment: Moment, { caches, words }: { caches: readonly CacheState[]; words: Words }): Line[] {
  const object = moment.tree[moment.selected]?.object;
  const reference = object && referenceOf(object);
  if (!object || !reference) return [];
  const name = displayNameOf(object);
  const rows = caches.flatMap(({ actor, seen }): Line[] => {
    const revision = seen.get(cacheKey(reference));
    if (revision === undefined) return [];
    const known = session.run.readObject(reference, revision);
    const same = String(revision) === object.metadata.resourceVersion;
    const text = known ? shortStatus(known, words).text : words.views.gone;
    return [
      [
        span(` ${padCells(actor, NAME)}`),
        span(padCells(`rv ${revision}`, SEEN), same ? 'good' : 'busy'),
        span(text, same ? 'text' : 'busy'),
      ],
    ];
  });
  const store = `rv ${object.metadata.resourceVersion ?? ''}`;
  const label = 'kube-apiserver';
  return [
    [],
    [span(` ${words.views.cacheObject(name)}`, 'title')],
    [
      span(` ${label}${' '.repeat(Math.max(1, NAME - cellWidth(label)))}`),
      span(padCells(store, SEEN), 'good'),
      span(shortStatus(object, words).text),
    ],
    ...rows,
  ];
}
