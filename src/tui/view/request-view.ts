import type { TraceEntry } from '../../sim/trace.ts';
import type { Session } from '../app/session.ts';
import { displayName } from '../model/field.ts';
import { type RequestWalk, requestOf, walkRequest } from '../model/request-walk.ts';
import { sentenceOf } from '../model/sentence.ts';
import { who } from '../model/who.ts';
import { padCells, wrap } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import { wrapSentence } from '../text/wrap-sentence.ts';
import type { Words } from '../words/en.ts';
import { type Line, span, type Token } from './span.ts';

const LABEL = 10;
const STAGE = 22;
const OUTCOME = 12;
const TOKENS: Readonly<Record<'ok' | 'changed' | 'refused', Token>> = { ok: 'good', changed: 'changed', refused: 'bad' };
const MARKS = { ok: '[x]', changed: '[~]', refused: '[!]' } as const;

/** A request on its way: who sent it, each stage of kube-apiserver with its outcome, the write, the answer, and who was told. */
export function requestContent(
  session: Session,
  entry: TraceEntry | undefined,
  { width, words }: { width: number; words: Words },
): { title: string; lines: Line[] } {
  const request = entry && requestOf(session.run, entry);
  if (!request) return { title: words.views.request('', entry?.seq ?? 0), lines: [[span(` ${words.notices.nothingToOpen}`, 'dim')]] };
  const walk = walkRequest(session.run, request);
  const { verb, object, subresource, seq } = request;
  const name = object.name ? displayName(object) : object.resource;
  const title = words.views.request(`${verb} ${name}${subresource ? ` ${subresource}` : ''}`, seq);
  return {
    title,
    lines: [
      ...head(session, walk, words),
      [],
      ...stageLines(walk, width, words),
      ...writeLines(session, walk, { width, words }),
      [],
      ...answer(walk, width, words),
      [],
      ...toldLines(session, walk, words),
    ],
  };
}

function head(session: Session, { request }: RequestWalk, words: Words): Line[] {
  const { views } = words;
  return [
    fact(views.requestFrom, `${request.actor || 'kubectl'} (${who(session.run, request)})  t=${formatVirtualTime(request.time)}`),
    fact(views.requestAs, request.user),
  ];
}

function fact(label: string, text: string, token: Token = 'text'): Line {
  return [span(` ${padCells(label, LABEL)} `, 'dim'), span(text, token)];
}

function stageLines({ stages }: RequestWalk, width: number, words: Words): Line[] {
  return stages.flatMap(({ stage, outcome, message }): Line[] => [
    [
      span(` ${MARKS[outcome]} `, TOKENS[outcome]),
      span(padCells(stage, STAGE), outcome === 'refused' ? 'bad' : 'title'),
      span(padCells(words.views.outcome[outcome], OUTCOME), TOKENS[outcome]),
      span(words.views.stage[stage] ?? '', 'dim'),
    ],
    ...wrap(message ?? '', width - 8)
      .filter(Boolean)
      .map((text): Line => [span(`       ${text}`, 'bad')]),
  ]);
}

function writeLines(session: Session, { writes }: RequestWalk, { width, words }: { width: number; words: Words }): Line[] {
  return writes.flatMap((write) =>
    wrapSentence(`#${write.seq} rv ${write.revision}: ${sentenceOf(session.run, write, words.telling).what}`, width - 8).map(
      (text): Line => [span(`     ${text}`, 'changed')],
    ),
  );
}

function answer({ response }: RequestWalk, width: number, words: Words): Line[] {
  if (!response) return [fact(words.views.requestAnswer, words.views.noAnswer, 'dim')];
  const text = `${response.code}${response.reason ? ` ${response.reason}` : ''}${response.message ? `: ${response.message}` : ''}`;
  const token = response.code >= 400 ? 'bad' : 'good';
  return wrap(text, width - LABEL - 3).map((part, index) => fact(index ? '' : words.views.requestAnswer, part, token));
}

function toldLines(_session: Session, { told, request }: RequestWalk, words: Words): Line[] {
  const head: Line = [span(` ${words.views.requestWatchers}`, 'title')];
  if (told.length === 0) return [head, [span(`   ${words.views.requestNone}`, 'dim')]];
  return [
    head,
    ...told.map(({ actor, type, time, seq }): Line => {
      const later = `+${formatVirtualTime(time - request.time)}`;
      return [span(`   ${later.padStart(9)}  `, 'dim'), span(padCells(actor, 28), 'watch'), span(`${type}  #${seq}`)];
    }),
  ];
}
