import { Box } from 'ink';
import { type ReactElement, useContext } from 'react';
import { footerLine, headerLine } from '../view/bars-view.ts';
import { consoleContent } from '../view/console-view.ts';
import { BORDER, framePane } from '../view/frame.ts';
import { FIXED_ROWS, type Layout, layoutFor } from '../view/layout.ts';
import { overlayContent } from '../view/overlay-view.ts';
import { span } from '../view/span.ts';
import { scrubber } from '../view/timeline-view.ts';
import { whyLine } from '../view/why-view.ts';
import { Pane } from './Pane.tsx';
import { PaintContext } from './paint-context.ts';
import { Rows } from './Rows.tsx';
import type { Moment, Session } from './session.ts';
import { TooSmall } from './TooSmall.tsx';
import type { UiState } from './ui-state.ts';

export interface ScreenProps {
  readonly session: Session;
  readonly state: UiState;
  readonly columns: number;
  readonly rows: number;
}

/** The whole screen: a pure function of the run, what a person has set, and the size of the terminal. */
export function Screen({ session, state, columns, rows }: ScreenProps): ReactElement {
  const { glyphs, words } = useContext(PaintContext);
  const { focus, lower, zoom, overlay, consoleOpen } = state;
  const layout = layoutFor({ columns, rows, focus, lower, zoom, console: consoleOpen && !overlay });
  if (layout.tier === 'none') return <TooSmall columns={columns} rows={rows} />;
  const moment = session.momentOf(state);
  const bar = { width: columns - 2, glyphs, state };
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Rows lines={[headerLine(session, state, { moment, layout })]} width={columns} height={1} />
      {overlay ? <OverlayPane {...{ session, state, moment, layout }} /> : <Bands {...{ session, state, moment, layout }} />}
      {layout.console ? <Console state={state} layout={layout} /> : null}
      {layout.scrubber && !overlay ? (
        <Rows lines={[[span(' '), ...scrubber(session, moment, bar), span(' ')]]} width={columns} height={1} />
      ) : null}
      <Rows lines={[whyLine(session.run, moment.entry, { width: columns - 1, words })]} width={columns} height={1} />
      <Rows lines={[footerLine(session, state, columns)]} width={columns} height={1} />
    </Box>
  );
}

interface BodyProps {
  readonly session: Session;
  readonly state: UiState;
  readonly moment: Moment;
  readonly layout: Layout;
}

function Bands({ session, state, moment, layout }: BodyProps): ReactElement {
  return (
    <>
      {layout.bands.map((band) => (
        <Box key={band.map(({ id }) => id).join()} flexShrink={0}>
          {band.map((place) => (
            <Pane key={place.id} place={place} session={session} state={state} moment={moment} />
          ))}
        </Box>
      ))}
    </>
  );
}

/** Below the panes: what was typed on the kubectl line and what came back. */
function Console({ state, layout }: Pick<BodyProps, 'state' | 'layout'>): ReactElement {
  const { glyphs } = useContext(PaintContext);
  const { columns: width, console: height } = layout;
  const content = consoleContent(state, { width: width - BORDER, height: height - BORDER });
  return <Rows lines={framePane(content, { width, height, focused: state.mode === 'kubectl', glyphs })} width={width} height={height} />;
}

/** Header, why and footer stay; everything between belongs to what was opened. */
function OverlayPane({ session, state, moment, layout }: BodyProps): ReactElement | null {
  const { glyphs } = useContext(PaintContext);
  if (!state.overlay) return null;
  const width = layout.columns;
  const height = layout.rows - FIXED_ROWS;
  const content = overlayContent(session, moment, { overlay: state.overlay, state, width: width - BORDER, height: height - BORDER });
  const open = state.overlay.kind === 'yaml';
  return <Rows lines={framePane(content, { width, height, focused: true, glyphs, open })} width={width} height={height} />;
}
