import type { SchedulingDecision } from '../../../components/kube-scheduler/explain.ts';
import { cellWidth, padCells, truncate, wrap } from '../text/cells.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import type { DecisionTelling, Telling } from '../words/telling.ts';
import { EN_TELLING } from '../words/telling-en.ts';
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
export function decisionTable({ details, time }: DecisionEntry, width: number, { decision }: Telling = EN_TELLING): TableLine[] {
  const look: Look = { width, words: decision };
  return [
    ...outcomeLines(details, look),
    ...refusedLines(details, look),
    ...scoreLines(details, look),
    ...choiceLines(details, look),
    ...queueLines(details, time, decision),
  ];
}

/** How wide, and in which language. */
interface Look {
  readonly width: number;
  readonly words: DecisionTelling;
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

function outcomeLines(details: SchedulingDecision, { width, words }: Look): TableLine[] {
  const { outcome, attempt, node, message, nodes, nominatedNode, victims = [] } = details;
  const looked = words.looked(attempt, nodes.evaluated, nodes.feasible);
  if (outcome === 'scheduled') return [text(words.goesTo(node ?? ''), 'title'), ...paragraph(looked, width)];
  return [
    text(outcome === 'unschedulable' ? words.cannotBeScheduled : words.wentWrong, 'title'),
    ...paragraph(looked, width),
    ...paragraph(message ?? '', width, 'refused'),
    ...(nominatedNode ? paragraph(words.waitsFor(nominatedNode, victims), width) : []),
  ];
}

/** Per node the first filter that refused it, and its words. */
function refusedLines({ refused, preFilter, nodes, outcome }: SchedulingDecision, { width, words }: Look): TableLine[] {
  if (preFilter) return titled(words.refusedBefore, paragraph(preFilter, width, 'refused'));
  const nameWidth = Math.min(24, Math.max(cellWidth(words.node), ...refused.map(({ node }) => node.length)));
  const pluginWidth = Math.max(cellWidth(words.filter), ...refused.map(({ plugin }) => plugin.length));
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
  const head = lines.length
    ? [text(`  ${padCells(words.node, nameWidth)}  ${padCells(words.filter, pluginWidth)}  ${words.itsWords}`, 'head')]
    : [];
  return titled(words.refusedNodes, [...head, ...lines, ...(more > 0 ? [text(`  ${words.more(more)}`)] : [])]);
}

function scoreLines({ scores, node, nodes }: SchedulingDecision, { width, words }: Look): TableLine[] {
  if (scores.length === 0) return [];
  const room = Math.max(1, Math.min(NODES_ABREAST, Math.floor((width - INDENT - NAME - WEIGHT) / columnWidth(scores))));
  const lines: TableLine[] = [];
  for (let at = 0; at < scores.length; at += room)
    lines.push(...(at ? [text('')] : []), ...scoreBlock(scores.slice(at, at + room), node, words));
  const more = nodes.feasible - scores.length;
  return titled(words.scores, [...lines, ...(more > 0 ? [text(`  ${words.moreThatFit(more)}`)] : [])]);
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

function scoreBlock(scores: readonly Scored[], chosen: string | undefined, words: DecisionTelling): TableLine[] {
  const [rawWidth, normalizedWidth, scoreWidth] = numberWidths(scores);
  const column = columnWidth(scores);
  const row = (name: string, weight: string, cells: readonly string[]): string =>
    `  ${padCells(name, NAME)}${' '.repeat(Math.max(0, WEIGHT - 1 - cellWidth(weight)))}${weight} ${cells.map((cell) => cell.padStart(column)).join('')}`;
  const names = scores.map(({ node }) => truncate(node, column - 2));
  const plugins = scores[0]?.plugins ?? [];
  return [
    text(row(words.plugin, words.weight, names), 'head'),
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
        words.sum,
        '',
        scores.map(({ node, total }) => (node === chosen ? `> ${total}` : String(total))),
      ),
      'chosen',
    ),
  ];
}

function choiceLines({ equals, node, nodes, outcome }: SchedulingDecision, { width, words }: Look): TableLine[] {
  if (outcome !== 'scheduled') return [];
  if (nodes.feasible === 1) return titled(words.choice, paragraph(words.onlyNode, width));
  if (equals.length < 2) return titled(words.choice, paragraph(words.highest(node ?? ''), width));
  const chance = words.chance(node ?? '', { count: nodes.equal ?? equals.length, names: equals, more: nodes.equal !== undefined });
  return titled(words.choice, paragraph(chance, width));
}

/** Where the pod waited, and what moved it. */
function queueLines({ queue }: SchedulingDecision, time: number, words: DecisionTelling): TableLine[] {
  const lines = queue.map((step) =>
    text(`  ${formatVirtualTime(step.time).padStart(11)}  ${padCells(words.queues[step.queue], 30)} ${step.event}`.trimEnd()),
  );
  return titled(words.queue, [...lines, text(`  ${formatVirtualTime(time).padStart(11)}  ${words.thisDecision}`)]);
}
