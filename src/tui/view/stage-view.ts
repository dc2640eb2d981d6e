import type { Pod } from '../../api/kinds/core-v1.ts';
import type { Moment, Session } from '../app/session.ts';
import { APISERVER, chooseLanes, lanesOf, PERSON, type StageEvent, stageEvent } from '../model/lanes.ts';
import { entryAt } from '../model/run-view.ts';
import { who } from '../model/who.ts';
import { cellWidth, truncate, truncateMiddle } from '../text/cells.ts';
import type { Telling } from '../words/telling.ts';
import { CanvasRow } from './canvas.ts';
import type { PaneContent, PaneSize } from './frame.ts';
import type { Glyphs } from './glyphs.ts';
import { type Line, type Span, span, type Token } from './span.ts';

const HEADER_ROWS = 3;
/** Kept free below the newest event while something is hidden. */
const VEIL_ROWS = 2;
const LEFT = 2;
const MIN_LANE = 13;
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'kube-apiserver': 'apiserver',
  'kube-controller-manager': 'ctrl-mgr',
  'cloud-controller-manager': 'cloud-mgr',
  'kube-scheduler': 'scheduler',
  'kube-proxy': 'proxy',
};
const TOKENS: Readonly<Record<StageEvent['style'], Token>> = {
  request: 'request',
  watch: 'watch',
  refusal: 'bad',
  local: 'text',
  input: 'input',
  fault: 'bad',
};

/** What must not be seen while a question about it is open: what these lanes did after an entry. */
export interface Veil {
  readonly after: number;
  readonly lanes: readonly string[];
  /** Stands below the newest event. */
  readonly text: string;
}

interface Stage {
  readonly veil: Veil | undefined;
  readonly session: Session;
  readonly moment: Moment;
  readonly lanes: readonly string[];
  /** The column of each lane's line of life. */
  readonly columns: ReadonlyMap<string, number>;
  readonly laneWidth: number;
  readonly width: number;
  readonly glyphs: Glyphs;
  readonly telling: Telling;
  /** How far the message of the present step has come. */
  readonly travelled: number;
}

/**
 * The first row of the window. It moves by half a screen at a time, so that most steps only add a row: calmer to look at than scrolling, and cheaper.
 */
export function windowStart(row: number, height: number): number {
  if (row < height) return 0;
  const jump = Math.max(1, Math.floor(height / 2));
  return (Math.floor((row - height) / jump) + 1) * jump;
}

/** Pane 1: a lane for each component, and what went from one to another, up to the present moment. */
export function stageContent(
  session: Session,
  moment: Moment,
  size: PaneSize & { readonly veil?: Veil | undefined; readonly prefer?: readonly string[] },
): PaneContent {
  const { width, height, glyphs, veil, prefer = [], travelled = 1 } = size;
  const room = Math.max(1, height - HEADER_ROWS);
  const first = windowStart(moment.row, veil ? Math.max(1, room - VEIL_ROWS) : room);
  const all = lanesOf(session.timeline.actors);
  const right = numberWidth(session);
  const max = Math.floor((width - LEFT - right) / MIN_LANE);
  const lanes = chooseLanes(session.run, all, { rows: moment.rows, first, last: moment.row, max, prefer });
  const laneWidth = Math.floor((width - LEFT - right) / lanes.length);
  const columns = new Map(lanes.map((lane, index) => [lane, LEFT + laneWidth * index + Math.floor(laneWidth / 2)]));
  const stage: Stage = { veil, session, moment, lanes, columns, laneWidth, width, glyphs, telling: size.words.telling, travelled };
  const lines = [...header(stage), ...Array.from({ length: room }, (_, index) => drawRow(stage, first + index))];
  return {
    title: `1 ${size.words.panes.stage}`,
    note: lanes.length < all.length ? size.words.views.lanes(lanes.length, all.length) : '',
    lines,
  };
}

function header(stage: Stage): Line[] {
  const { lanes, columns, laneWidth, moment } = stage;
  const names = lanes.every((lane) => lane.length <= laneWidth - 2)
    ? lanes
    : lanes.map((lane) => lane.replace(/^[^/]+/, (name) => SHORT_NAMES[name] ?? name));
  const event = moment.entry && stageEvent(stage.session.run, moment.entry);
  const rows = [new CanvasRow(stage.width), new CanvasRow(stage.width), new CanvasRow(stage.width)] as const;
  for (const [index, lane] of lanes.entries()) {
    const acts = event !== undefined && (event.from === lane || event.to === lane);
    const state = laneState(stage, lane, event);
    const column = columns.get(lane) ?? 0;
    center(rows[0], column, span(truncateMiddle(names[index] ?? lane, laneWidth - 1), acts ? 'actor' : 'title'));
    const veiled = stage.veil?.lanes.includes(lane) ?? false;
    center(rows[1], column, span(truncate(veiled ? '?' : laneFact(stage, lane), laneWidth - 1), 'dim'));
    center(rows[2], column, span(truncate(veiled ? '?' : state, laneWidth - 1), acts ? 'actor' : 'dim'));
  }
  return rows.map((row) => row.toLine());
}

function center(row: CanvasRow, column: number, { text, token }: Span): void {
  row.put(column - Math.floor(cellWidth(text) / 2), text, token);
}

/** One fact about a component at this moment, from the store. */
function laneFact({ moment, session, telling }: Stage, lane: string): string {
  const words = telling.lane;
  const [component, node = ''] = lane.split('/');
  const pods = moment.tree.map(({ object }) => object).filter((object): object is Pod => object.kind === 'Pod');
  switch (component) {
    case PERSON:
      return telling.who('you');
    case APISERVER:
      return `rv ${moment.revision}`;
    case 'kube-scheduler':
      return words.pending(pods.filter((pod) => !pod.spec?.nodeName && !pod.metadata.deletionTimestamp).length);
    case 'kubelet':
      return words.pods(pods.filter((pod) => pod.spec?.nodeName === node).length);
    case 'kube-controller-manager':
      return moment.entry && actsInManager(session, moment) ? who(session.run, moment.entry).replace(/-controller$/, '') : '';
    default:
      return '';
  }
}

function actsInManager(session: Session, { entry }: Moment): boolean {
  if (!entry || entry.kind === 'watch') return false;
  return entry.actor === 'kube-controller-manager' || stageEvent(session.run, entry).from === 'kube-controller-manager';
}

function laneState({ session, moment, telling }: Stage, lane: string, event: StageEvent | undefined): string {
  const words = telling.lane;
  const { entry } = moment;
  const state = lane === PERSON ? 'started' : session.timeline.actorState(lane, entry?.seq ?? 0);
  if (state === 'crashed') return words.down;
  if (state === 'paused') return words.paused;
  if (!entry || !event || (event.from !== lane && event.to !== lane)) return lane === APISERVER ? words.serving : words.idle;
  if (event.style === 'watch') return lane === APISERVER ? words.telling : `> ${words.notices}`;
  if (event.style === 'request') return lane === APISERVER ? `> ${words.stores}` : words.asking;
  if (event.style === 'refusal') return lane === APISERVER ? `> ${words.refuses}` : words.refused;
  if (entry.kind === 'decision') return `> ${words.decides}`;
  return `> ${entry.kind === 'reconcile' ? words.reconciles : words.acts}`;
}

function drawRow(stage: Stage, row: number): Line {
  const { moment, columns, glyphs, width } = stage;
  const canvas = new CanvasRow(width);
  for (const column of columns.values()) canvas.put(column, glyphs.lifeline, 'dim');
  if (row > moment.row) return stage.veil ? drawVeil(stage, canvas, row) : canvas.toLine();
  const entry = entryAt(stage.session.run, moment.rows.at(row));
  if (!entry) return canvas.toLine();
  const current = row === moment.row;
  const event = stageEvent(stage.session.run, entry, stage.telling);
  if (isVeiled(stage, entry.seq, event)) canvas.put(columns.get(event.from) ?? LEFT, '?', 'key');
  else drawEvent(stage, canvas, { event, current });
  const number = `#${entry.seq}`;
  canvas.put(width - number.length, number, current ? 'cursor' : 'dim');
  if (current) canvas.put(0, glyphs.cursor, 'cursor');
  return canvas.toLine();
}

function isVeiled({ veil }: Stage, seq: number, { from, to }: StageEvent): boolean {
  return veil !== undefined && seq > veil.after && [from, to].some((lane) => veil.lanes.includes(lane));
}

/** Below the newest event: that there is more, and where it is hidden. */
function drawVeil({ veil, moment, lanes, columns, width }: Stage, canvas: CanvasRow, row: number): Line {
  if (veil && row === moment.row + 1) canvas.put(Math.max(LEFT, Math.floor((width - cellWidth(veil.text)) / 2)), ` ${veil.text} `, 'focus');
  else for (const lane of lanes) if (veil?.lanes.includes(lane)) canvas.put(columns.get(lane) ?? LEFT, '?', 'key');
  return canvas.toLine();
}

function drawEvent(stage: Stage, canvas: CanvasRow, { event, current }: { event: StageEvent; current: boolean }): void {
  const { columns, glyphs } = stage;
  const token = current ? (event.style === 'local' ? 'cursor' : TOKENS[event.style]) : 'dim';
  const from = columns.get(event.from);
  const to = columns.get(event.to);
  if (from === undefined || to === undefined || from === to) {
    const hidden = from === undefined ? event.from : to === undefined ? event.to : '';
    const at = from ?? to ?? LEFT;
    canvas.put(at, glyphs.source, token);
    placeLabel(stage, canvas, { left: at, right: at, label: hidden ? `(${hidden}) ${event.label}` : event.label, token });
    return;
  }
  const [left, right] = from < to ? [from, to] : [to, from];
  const bar = event.style === 'watch' ? glyphs.watch : glyphs.request;
  const length = current ? Math.max(1, Math.round((right - left) * stage.travelled)) : right - left;
  canvas.put(from < to ? left : right - length, bar.repeat(length), token);
  canvas.put(from, glyphs.source, token);
  canvas.put(from < to ? from + length - 1 : from - length + 1, from < to ? glyphs.arrowRight : glyphs.arrowLeft, token);
  canvas.put(to, glyphs.lifeline, token);
  placeLabel(stage, canvas, { left, right, label: event.label, token });
}

/** Inside the arrow if there is room, else right of it, else left of it, else as much of it as fits on the wider side. */
function placeLabel(stage: Stage, canvas: CanvasRow, place: { left: number; right: number; label: string; token: Token }): void {
  const { left, right, label, token } = place;
  const size = cellWidth(label);
  const end = stage.width - numberWidth(stage.session);
  const roomRight = end - right - 2;
  const roomLeft = left - LEFT - 1;
  if (right - left - 6 >= size) canvas.put(left + 2 + Math.floor((right - left - 4 - size) / 2), ` ${label} `, token);
  else if (roomRight >= size || roomRight >= roomLeft) canvas.put(right + 2, truncateMiddle(label, roomRight), token);
  else canvas.put(left - 1 - Math.min(size, roomLeft), truncateMiddle(label, roomLeft), token);
}

/** Cells kept at the right for `#140`. */
function numberWidth(session: Session): number {
  return String(session.timeline.last).length + 2;
}
