import { stringify } from 'yaml';
import type { KubernetesObject } from '../../api/object.ts';
import { COMMANDS } from '../app/commands.ts';
import { KEY_TABLE } from '../app/keys.ts';
import type { Moment, Session } from '../app/session.ts';
import type { Overlay } from '../app/ui-state.ts';
import { displayName } from '../model/field.ts';
import { isSchedulingDecision } from '../model/scheduling-decision.ts';
import { wrap } from '../text/cells.ts';
import { keyName } from './bars-view.ts';
import { decisionLines } from './decision-view.ts';
import { detailLines } from './details-view.ts';
import type { PaneContent } from './frame.ts';
import { type Line, span } from './span.ts';
import { whyList } from './why-view.ts';

const KEY_COLUMN = 14;

/** What covers the panes: the help, the causes, or one object. */
export function overlayContent(session: Session, moment: Moment, view: { overlay: Overlay; width: number; height: number }): PaneContent {
  const { overlay, height } = view;
  const { title, lines } = wholeContent(session, moment, view);
  const maxScroll = Math.max(0, lines.length - height);
  const scroll = Math.min(overlay.scroll, maxScroll);
  const note = lines.length > height ? `lines ${scroll + 1}-${Math.min(lines.length, scroll + height)} of ${lines.length}, j k` : '';
  return { title, note, lines: lines.slice(scroll, scroll + height), maxScroll };
}

function wholeContent(
  session: Session,
  moment: Moment,
  { overlay, width }: { overlay: Overlay; width: number },
): { title: string; lines: Line[] } {
  switch (overlay.kind) {
    case 'help':
      return { title: 'Keys and commands', lines: helpLines(width) };
    case 'why':
      return { title: `Why #${moment.entry?.seq ?? 0}: from the first cause to here`, lines: whyList(session.run, moment.entry, width) };
    case 'decision':
      return decisionContent(moment, width);
    case 'truth':
      return {
        title: 'What is simpler here than in a real cluster',
        lines: session.truth.flatMap((text) =>
          wrap(text, width - 4).map((part, index): Line => [span(index === 0 ? ' - ' : '   '), span(part)]),
        ),
      };
    case 'yaml':
    case 'details':
      return objectContent(session, moment, { overlay, width });
  }
}

/** Of the step where we are, as long as that is a scheduling decision: stepping on may lead elsewhere. */
function decisionContent({ entry }: Moment, width: number): { title: string; lines: Line[] } {
  if (!isSchedulingDecision(entry)) return { title: 'Scheduling', lines: [[span(' this step is no scheduling decision', 'dim')]] };
  return { title: `Scheduling of ${displayName(entry.object)}, #${entry.seq}`, lines: decisionLines(entry, width) };
}

function objectContent(
  session: Session,
  moment: Moment,
  { overlay, width }: { overlay: Overlay; width: number },
): { title: string; lines: Line[] } {
  const object = moment.tree.find(({ key }) => key === overlay.key)?.object;
  const name = (overlay.key ?? '').split('/').filter(Boolean).join('/');
  const title = `${overlay.kind === 'yaml' ? 'YAML' : 'Details'}: ${name} at #${moment.entry?.seq ?? 0}, rv ${moment.revision}`;
  if (!object) return { title, lines: [[span(' it is not there at this moment', 'dim')]] };
  return { title, lines: overlay.kind === 'yaml' ? yamlLines(object) : detailLines(session, moment, { object, width }) };
}

function yamlLines(object: KubernetesObject): Line[] {
  const { managedFields: _, ...metadata } = object.metadata;
  return stringify({ ...object, metadata }, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((text): Line => {
      const [, lead = '', key = '', rest = ''] = /^([\s-]*)([\w./-]+:)?(.*)$/.exec(text) ?? [];
      return [span(` ${lead}`), span(key, 'key'), span(rest)];
    });
}

function helpLines(width: number): Line[] {
  const lines: Line[] = [];
  for (const group of ['Time', 'Panes', 'Look', 'Program'] as const) {
    lines.push([span(` ${group}`, 'title')]);
    for (const { keys, help } of KEY_TABLE.filter((binding) => binding.group === group)) {
      lines.push([span(`   ${keys.map(keyName).join('  ')}`.padEnd(KEY_COLUMN + 4), 'key'), span(help)]);
    }
  }
  lines.push([span(' Commands', 'title')]);
  for (const { usage, help } of COMMANDS) lines.push([span(`   ${usage}`.padEnd(KEY_COLUMN + 20), 'key'), span(help)]);
  lines.push([span(' Marks', 'title')]);
  for (const text of [
    'o--->  a request to kube-apiserver     o===>  what a watch delivers     <  a refusal',
    '>  where we are, or what is selected     ~  what this step is about     + - ~  added, removed, changed',
    'on the scrubber: o an input, ! a fault, x a crash',
  ]) {
    for (const part of wrap(text, width - 6)) lines.push([span(`   ${part}`)]);
  }
  return lines;
}
