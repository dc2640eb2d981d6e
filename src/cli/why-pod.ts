import { decisionTable } from '../tui/model/decision-table.ts';
import type { RunView } from '../tui/model/run-view.ts';
import { decisionsAbout } from '../tui/model/scheduling-decision.ts';
import { formatVirtualTime } from '../tui/text/format-time.ts';

const WIDTH = 80;

/** Why a pod is where it is: the last scheduling decision about it as a table, and the attempts before in a line each; undefined when there is none. */
export function whyPodLines(run: RunView, pod: { readonly namespace: string; readonly name: string }): string[] | undefined {
  const decisions = decisionsAbout(run.entries, pod);
  const last = decisions.at(-1);
  if (!last) return undefined;
  const before = decisions.slice(0, -1).map(({ seq, time, message }) => `  #${seq} ${formatVirtualTime(time)}  ${message}`);
  return [
    `pod ${pod.namespace}/${pod.name}, decided at ${formatVirtualTime(last.time)} (#${last.seq}) by ${last.actor}`,
    ...decisionTable(last, WIDTH).map(({ text }) => text),
    ...(before.length
      ? ['', 'Attempts before', ...before.map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH - 3)}...` : line))]
      : []),
  ];
}
