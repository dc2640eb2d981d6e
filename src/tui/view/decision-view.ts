import { decisionTable, type TableLine } from '../model/decision-table.ts';
import type { DecisionEntry } from '../model/scheduling-decision.ts';
import type { Words } from '../words/en.ts';
import { type Line, span, type Token } from './span.ts';

const TOKENS: Readonly<Record<TableLine['kind'], Token>> = { title: 'title', text: 'text', head: 'dim', chosen: 'good', refused: 'busy' };

/** A scheduling decision as a table: who refused which node, the scores, the choice, and the way through the queue. */
export function decisionLines(entry: DecisionEntry, width: number, { telling }: Words): Line[] {
  return decisionTable(entry, width - 1, telling).map(({ text, kind }): Line => [span(` ${text}`, TOKENS[kind])]);
}
