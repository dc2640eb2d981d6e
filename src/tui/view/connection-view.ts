import type { TraceEntry } from '../../sim/trace.ts';
import { wrap } from '../text/cells.ts';
import type { Words } from '../words/en.ts';
import { type Line, span } from './span.ts';

/** The way of a connection, stage by stage: the name, the rules of the node's packet filter, the pod that answers. */
export function connectionContent(
  entry: TraceEntry | undefined,
  { width, words }: { width: number; words: Words },
): { title: string; lines: Line[] } {
  if (entry?.kind !== 'runtime' || entry.what !== 'connection')
    return { title: words.views.connection('', entry?.seq ?? 0), lines: [[span(` ${words.notices.nothingToOpen}`, 'dim')]] };
  const way = Array.isArray(entry.details) ? entry.details.map(String) : [];
  const lines = way.flatMap((station, index): Line[] =>
    wrap(words.telling.message(station), width - 8).map(
      (text, part): Line => [span(part === 0 ? ` ${String(index + 1).padStart(2)}  ` : '     ', 'dim'), span(text)],
    ),
  );
  return {
    title: words.views.connection(entry.message.split(' ')[0] ?? '', entry.seq),
    lines: [[span(` ${words.telling.message(entry.message)}`, 'title')], [], ...lines],
  };
}
