import { Box, Text } from 'ink';
import { type ReactElement, useContext } from 'react';
import { fitLines, type Line } from '../view/span.ts';
import { paint } from '../view/theme.ts';
import { PaintContext } from './paint-context.ts';

export interface RowsProps {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

/** Exactly `height` rows of `width` cells: Ink never has to wrap, shrink or measure. */
export function Rows({ lines, width, height }: RowsProps): ReactElement {
  const { theme, depth } = useContext(PaintContext);
  const text = fitLines(lines, width, height)
    .map((line) => paint(line, theme, depth))
    .join('\n');
  return (
    <Box width={width} height={height} flexShrink={0}>
      <Text wrap="truncate">{text}</Text>
    </Box>
  );
}
