import { decisionTable } from '../tui/model/decision-table.ts';
import type { RunView } from '../tui/model/run-view.ts';
import { decisionsAbout } from '../tui/model/scheduling-decision.ts';
import { truncate } from '../tui/text/cells.ts';
import { formatVirtualTime } from '../tui/text/format-time.ts';
import type { Telling } from '../tui/words/telling.ts';
import { EN_TELLING } from '../tui/words/telling-en.ts';

const WIDTH = 80;

/** Why a pod is where it is: the last scheduling decision about it as a table, and the attempts before in a line each; undefined when there is none. */
export function whyPodLines(
  run: RunView,
  pod: { readonly namespace: string; readonly name: string },
  telling: Telling = EN_TELLING,
): string[] | undefined {
  const decisions = decisionsAbout(run.entries, pod);
  const last = decisions.at(-1);
  const { decided, before: attemptsBefore } = telling.decision;
  if (!last) return undefined;
  const before = decisions
    .slice(0, -1)
    .map(({ seq, time, message }) => `  #${seq} ${formatVirtualTime(time)}  ${telling.message(message)}`);
  return [
    decided(`${pod.namespace}/${pod.name}`, { time: formatVirtualTime(last.time), seq: last.seq, by: last.actor }),
    ...decisionTable(last, WIDTH, telling).map(({ text }) => text),
    ...(before.length ? ['', attemptsBefore, ...before.map((line) => truncate(line, WIDTH))] : []),
  ];
}
