import { type ReactElement, useContext } from 'react';
import { diffContent } from '../view/diff-view.ts';
import { BORDER, framePane, type PaneContent, type PaneSize } from '../view/frame.ts';
import type { PanePlace } from '../view/layout.ts';
import { objectsContent } from '../view/objects-view.ts';
import { stageContent } from '../view/stage-view.ts';
import { timelineContent } from '../view/timeline-view.ts';
import { PaintContext } from './paint-context.ts';
import { Rows } from './Rows.tsx';
import type { Moment, Session } from './session.ts';
import type { UiState } from './ui-state.ts';

export interface PaneProps {
  readonly place: PanePlace;
  readonly session: Session;
  readonly state: UiState;
  readonly moment: Moment;
}

/** One of the numbered panes with its border. */
export function Pane({ place, session, state, moment }: PaneProps): ReactElement {
  const { glyphs, words, travelled } = useContext(PaintContext);
  const { width, height } = place;
  const inner = { width: width - BORDER, height: height - BORDER, glyphs, words, travelled };
  const content = paneContent({ place, session, state, moment }, inner);
  return <Rows lines={framePane(content, { width, height, focused: state.focus === place.id, glyphs })} width={width} height={height} />;
}

function paneContent({ place, session, state, moment }: PaneProps, inner: PaneSize): PaneContent {
  switch (place.id) {
    case 'stage':
      return stageContent(session, moment, inner);
    case 'objects':
      return objectsContent(moment, inner);
    case 'diff':
      return diffContent(session, moment, { ...inner, scroll: state.diffScroll, mode: state.diffMode });
    case 'timeline':
      return timelineContent(session, moment, { ...inner, state });
  }
}
