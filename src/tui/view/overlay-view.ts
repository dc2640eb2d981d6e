import type { KubernetesObject } from '../../api/object.ts';
import { toYaml } from '../../kubectl/yaml-output.ts';
import type { Moment, Session } from '../app/session.ts';
import type { Overlay, UiState } from '../app/ui-state.ts';
import { FAULT_USAGE } from '../live/fault-command.ts';
import { displayName } from '../model/field.ts';
import { isSchedulingDecision } from '../model/scheduling-decision.ts';
import { wrap } from '../text/cells.ts';
import type { Words } from '../words/en.ts';
import { wordsOf } from '../words/words.ts';
import { cacheContent } from './cache-view.ts';
import { compareContent } from './compare-view.ts';
import { connectionContent } from './connection-view.ts';
import { decisionLines } from './decision-view.ts';
import { detailLines } from './details-view.ts';
import type { PaneContent } from './frame.ts';
import { helpLines } from './help-view.ts';
import { requestContent } from './request-view.ts';
import { type Line, span } from './span.ts';
import { whyList } from './why-view.ts';

/** What is opened, and where. */
export interface OverlayRequest {
  readonly overlay: Overlay;
  readonly state: UiState;
  readonly width: number;
  readonly height: number;
}

interface Content {
  readonly title: string;
  readonly lines: Line[];
}

/** What covers the panes: the help, the causes, or one object. */
export function overlayContent(session: Session, moment: Moment, request: OverlayRequest): PaneContent {
  const { overlay, height, state } = request;
  const words = wordsOf(state.lang);
  const { title, lines } = wholeContent(session, moment, { ...request, words });
  const maxScroll = Math.max(0, lines.length - height);
  const scroll = Math.min(overlay.scroll, maxScroll);
  const note = lines.length > height ? `${words.views.lines(scroll + 1, Math.min(lines.length, scroll + height), lines.length)}, j k` : '';
  return { title, note, lines: lines.slice(scroll, scroll + height), maxScroll };
}

function wholeContent(session: Session, moment: Moment, request: OverlayRequest & { words: Words }): Content {
  const { overlay, width, words, state } = request;
  const { views } = words;
  switch (overlay.kind) {
    case 'help':
      return { title: views.help, lines: helpLines(width, words) };
    case 'why':
      return { title: views.why(moment.entry?.seq ?? 0), lines: whyList(session.run, moment.entry, { width, words }) };
    case 'decision':
      return decisionContent(moment, width, words);
    case 'request':
      return requestContent(session, moment.entry, { width, words });
    case 'connection':
      return connectionContent(moment.entry, { width, words });
    case 'cache':
      return cacheContent(session, moment, { width, words });
    case 'compare':
      return compareContent(session, overlay.key ?? '', { width, words });
    case 'faults':
      return {
        title: views.faults,
        lines: [...FAULT_USAGE.map((usage): Line => [span(` :fault ${usage}`, 'key')]), [], ...componentLines(session)],
      };
    case 'breaks':
      return { title: views.breaks, lines: state.breaks.map(({ text }): Line => [span(` B  ${text}`)]) };
    case 'truth':
      return { title: views.truth, lines: session.truth.flatMap((text) => truthLines(text, width)) };
    case 'yaml':
    case 'details':
      return objectContent(session, moment, request);
  }
}

/** A component's name, or one of its simplifications. */
function truthLines(text: string, width: number): Line[] {
  const [, item] = /^ *- (.*)/.exec(text) ?? [];
  if (item === undefined) return [[span(` ${text}`, 'title')]];
  return wrap(item, width - 4).map((part, index): Line => [span(index === 0 ? ' - ' : '   '), span(part)]);
}

/** Whom a fault can meet. */
function componentLines({ live }: Session): Line[] {
  const names = live ? [...live.cluster.simulation.actors.keys()].filter((name) => name !== 'kubectl') : [];
  return names.map((name): Line => [span(`   ${name}`, 'dim')]);
}

/** Of the step where we are, as long as that is a scheduling decision: stepping on may lead elsewhere. */
function decisionContent({ entry }: Moment, width: number, words: Words): Content {
  const { views } = words;
  if (!isSchedulingDecision(entry))
    return { title: views.scheduling('', entry?.seq ?? 0), lines: [[span(` ${views.noScheduling}`, 'dim')]] };
  return { title: views.scheduling(displayName(entry.object), entry.seq), lines: decisionLines(entry, width, words) };
}

function objectContent(session: Session, moment: Moment, { overlay, width, words }: OverlayRequest & { words: Words }): Content {
  const object = moment.tree.find(({ key }) => key === overlay.key)?.object;
  const name = (overlay.key ?? '').split('/').filter(Boolean).join('/');
  const { yaml, details, gone } = words.views;
  const title = `${overlay.kind === 'yaml' ? yaml : details}: ${name} #${moment.entry?.seq ?? 0}, rv ${moment.revision}`;
  if (!object) return { title, lines: [[span(` ${gone}`, 'dim')]] };
  return { title, lines: overlay.kind === 'yaml' ? yamlLines(object) : detailLines(session, moment, { object, width, words }) };
}

/** As `kubectl get -o yaml` prints it. */
function yamlLines(object: KubernetesObject): Line[] {
  const { managedFields: _, ...metadata } = object.metadata;
  return toYaml({ ...object, metadata })
    .split('\n')
    .map((text): Line => {
      const [, lead = '', key = '', rest = ''] = /^([\s-]*)([\w./-]+:)?(.*)$/.exec(text) ?? [];
      return [span(lead), span(key, 'key'), span(rest)];
    });
}
