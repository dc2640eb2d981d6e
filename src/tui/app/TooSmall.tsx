import { type ReactElement, useContext } from 'react';
import { MIN_COLUMNS, MIN_ROWS } from '../view/layout.ts';
import { span } from '../view/span.ts';
import { PaintContext } from './paint-context.ts';
import { Rows } from './Rows.tsx';

/** What a window shows that is too small for a screen. */
export function TooSmall({ columns, rows }: { readonly columns: number; readonly rows: number }): ReactElement {
  const { words } = useContext(PaintContext);
  const { smallTitle, small, smallHow } = words.views;
  const lines = [
    [span(smallTitle, 'title')],
    [span(small(`${MIN_COLUMNS} x ${MIN_ROWS}`, `${columns} x ${rows}`))],
    ...smallHow.map((text) => [span(text)]),
  ];
  return <Rows lines={lines.slice(0, rows)} width={columns} height={rows} />;
}
