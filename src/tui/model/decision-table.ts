import type { SchedulingDecision } from '../../../components/kube-scheduler/explain.ts';
import { padCells, truncate, wrap } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import type { DecisionEntry } from './scheduling-decision.ts';

/** One line of the table, and what kind of line it is. */
export interface TableLine {
  readonly text: string;
  readonly kind: 'title' | 'text' | 'head' | 'chosen' | 'refused';
}

type Scored = SchedulingDecision['scores'][number];

/** Nodes side by side in a table of scores; further ones stand below. */
const NODES_ABREAST = 3;
const INDENT = 2;
const NAME = 32;
const WEIGHT = 7;

/** A scheduling decision as a table that fits `width` cells: who refused which node and why, every score of every plugin, the choice, and the way through the queue. */
export function decisionTable({ details, time }: DecisionEntry, width: number): TableLine[] {
  return [
    ...outcomeLines(details, width),
    ...refusedLines(details, width),
    ...scoreLines(details, width),
    ...choiceLines(details, width),
    ...queueLines(details, time),
  ];
}

function text(line: string, kind: TableLine['kind'] = 'text'): TableLine {
  return { text: line, kind };
}

function paragraph(words: string, width: number, kind: TableLine['kind'] = 'text'): TableLine[] {
  return wrap(words, width - INDENT).map((part) => text(`${' '.repeat(INDENT)}${part}`, kind));
}

function titled(title: string, lines: readonly TableLine[]): TableLine[] {
  return lines.length ? [text(''), text(title, 'title'), ...lines] : [];
}

function outcomeLines(details: SchedulingDecision, width: number): TableLine[] {
  const { outcome, attempt, node, message, nodes, nominatedNode, victims = [] } = details;
  const looked = `attempt ${attempt}: ${nodes.evaluated} ${nodes.evaluated === 1 ? 'node' : 'nodes'} looked at, ${nodes.feasible} fit`;
  if (outcome === 'scheduled') return [text(`goes to ${node ?? ''}`, 'title'), ...paragraph(looked, width)];
  return [
    text(outcome === 'unschedulable' ? 'cannot be scheduled' : 'something went wrong', 'title'),
    ...paragraph(looked, width),
    ...paragraph(message ?? '', width, 'refused'),
    ...(nominatedNode
      ? paragraph(
          `waits for room on ${nominatedNode}, where less important pods go${victims.length ? `: ${victims.join(', ')}` : ''}`,
          width,
        )
      : []),
  ];
}

/** Per node the first filter that refused it, and its words. */
function refusedLines({ refused, preFilter, nodes, outcome }: SchedulingDecision, width: number): TableLine[] {
  if (preFilter) return titled('Refused before any node was looked at', paragraph(preFilter, width, 'refused'));
  const nameWidth = Math.min(24, Math.max(4, ...refused.map(({ node }) => node.length)));
  const pluginWidth = Math.max(6, ...refused.map(({ plugin }) => plugin.length));
  const lead = INDENT + nameWidth + 2 + pluginWidth + 2;
  const lines = refused.flatMap(({ node, plugin, reasons }) =>
    wrap(reasons.join(', '), Math.max(20, width - lead)).map((part, index) =>
      text(
        index ? ' '.repeat(lead) + part : `  ${padCells(truncate(node, nameWidth), nameWidth)}  ${plugin.padEnd(pluginWidth)}  ${part}`,
        'refused',
      ),
    ),
  );
  const more = (outcome === 'scheduled' ? nodes.evaluated - nodes.feasible : nodes.evaluated) - refused.length;
  const head = lines.length ? [text(`  ${'node'.padEnd(nameWidth)}  ${'filter'.padEnd(pluginWidth)}  its words`, 'head')] : [];
  return titled('Refused nodes', [...head, ...lines, ...(more > 0 ? [text(`  and ${more} more`)] : [])]);
}

function scoreLines({ scores, node, nodes }: SchedulingDecision, width: number): TableLine[] {
  if (scores.length === 0) return [];
  const room = Math.max(1, Math.min(NODES_ABREAST, Math.floor((width - INDENT - NAME - WEIGHT) / columnWidth(scores))));
  const lines: TableLine[] = [];
  for (let at = 0; at < scores.length; at += room) lines.push(...(at ? [text('')] : []), ...scoreBlock(scores.slice(at, at + room), node));
  const more = nodes.feasible - scores.length;
  return titled('Scores: raw, normalised, and times the weight', [...lines, ...(more > 0 ? [text(`  and ${more} more that fit`)] : [])]);
}

/** Three numbers, each as wide as the widest of its kind. */
function numberWidths(scores: readonly Scored[]): readonly [number, number, number] {
  const all = scores.flatMap(({ plugins }) => plugins);
  const widest = (of: (one: Scored['plugins'][number]) => number, least: number): number =>
    Math.max(least, ...all.map((one) => String(of(one)).length));
  return [widest(({ raw }) => raw, 3), widest(({ normalized }) => normalized, 3), widest(({ score }) => score, 3)];
}

function columnWidth(scores: readonly Scored[]): number {
  const [raw, normalized, score] = numberWidths(scores);
  return raw + normalized + score + 4;
}

function scoreBlock(scores: readonly Scored[], chosen: string | undefined): TableLine[] {
  const [rawWidth, normalizedWidth, scoreWidth] = numberWidths(scores);
  const column = columnWidth(scores);
  const row = (name: string, weight: string, cells: readonly string[]): string =>
    `  ${name.padEnd(NAME)}${weight.padStart(WEIGHT - 1)} ${cells.map((cell) => cell.padStart(column)).join('')}`;
  const names = scores.map(({ node }) => truncate(node, column - 2));
  const plugins = scores[0]?.plugins ?? [];
  return [
    text(row('plugin', 'weight', names), 'head'),
    ...plugins.map(({ plugin, weight }, at) =>
      text(
        row(
          plugin,
          String(weight),
          scores.map(({ plugins: given }) => {
            const { raw = 0, normalized = 0, score = 0 } = given[at] ?? {};
            return `${String(raw).padStart(rawWidth)} ${String(normalized).padStart(normalizedWidth)} ${String(score).padStart(scoreWidth)}`;
          }),
        ),
      ),
    ),
    text(
      row(
        'sum',
        '',
        scores.map(({ node, total }) => (node === chosen ? `> ${total}` : String(total))),
      ),
      'chosen',
    ),
  ];
}

function choiceLines({ equals, node, nodes, outcome }: SchedulingDecision, width: number): TableLine[] {
  if (outcome !== 'scheduled') return [];
  if (nodes.feasible === 1) return titled('The choice', paragraph('there was none: only this node fits', width));
  if (equals.length < 2) return titled('The choice', paragraph(`${node ?? ''} has the highest sum`, width));
  return titled(
    'The choice',
    paragraph(
      `chance took ${node ?? ''} out of ${nodes.equal ?? equals.length} with the same sum: ${equals.join(', ')}${nodes.equal ? ', and more' : ''}`,
      width,
    ),
  );
}

const QUEUES: Readonly<Record<SchedulingDecision['queue'][number]['queue'], string>> = {
  active: 'ready to be scheduled',
  backoff: 'backs off',
  unschedulable: 'waits for something to change',
  gated: 'is kept out of the queue',
  popped: 'is taken',
};

/** Where the pod waited, and what moved it. */
function queueLines({ queue }: SchedulingDecision, time: number): TableLine[] {
  const lines = queue.map((step) =>
    text(`  ${formatVirtualTime(step.time).padStart(11)}  ${QUEUES[step.queue].padEnd(30)} ${step.event}`.trimEnd()),
  );
  return titled('In the queue: when, what, woken by', [...lines, text(`  ${formatVirtualTime(time).padStart(11)}  this decision`)]);
}
