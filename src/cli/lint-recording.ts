import type { Cluster } from '../cluster/cluster.ts';
import { parseRecording } from '../scenario/recording.ts';
import { replay } from '../scenario/replay.ts';
import type { Finding } from '../testing/operator-lint/finding.ts';
import { OperatorLint } from '../testing/operator-lint/operator-lint.ts';
import { sentenceOf } from '../tui/model/sentence.ts';
import { runViewOf } from './run-view.ts';

/** As many entries as show what is meant. */
const MAX_EVIDENCE = 3;

/** Runs a recording again, and tells what operators did in it that they should not do; one text for each finding. @throws RecordingError */
export async function lintRecording(text: string, file: string): Promise<string[]> {
  const lint = new OperatorLint();
  const { cluster } = await replay(parseRecording(text, file), { audit: lint.audit });
  return lint.findings(cluster).map((finding) => describe(cluster, file, finding));
}

function describe(cluster: Cluster, file: string, { rule, operator, message, evidence, remedy }: Finding): string {
  const view = runViewOf(cluster);
  const shown = evidence.slice(0, MAX_EVIDENCE).flatMap((seq) => {
    const entry = cluster.simulation.trace.get(seq);
    return entry ? [`  #${seq} ${(entry.time / 1000).toFixed(3)}s ${sentenceOf(view, entry).what}`] : [];
  });
  const more = evidence.length > MAX_EVIDENCE ? [`  and ${evidence.length - MAX_EVIDENCE} more`] : [];
  return [`${file}: ${operator}: ${rule}: ${message}`, ...shown, ...more, `  ${remedy}`].join('\n');
}
