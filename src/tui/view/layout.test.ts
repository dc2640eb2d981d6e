import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layoutFor, PANE_ORDER } from './layout.ts';

const size = fc.record({ columns: fc.integer({ min: 1, max: 300 }), rows: fc.integer({ min: 1, max: 120 }) });
const view = fc.record({
  focus: fc.constantFrom(...PANE_ORDER),
  lower: fc.constantFrom('objects', 'diff', 'timeline'),
  zoom: fc.boolean(),
});

test('every row and every column of every size is given to exactly one thing', () => {
  fc.assert(
    fc.property(size, view, ({ columns, rows }, { focus, lower, zoom }) => {
      const layout = layoutFor({ columns, rows, focus, lower: lower as 'objects', zoom });
      if (layout.tier === 'none') return columns < 80 || rows < 24;
      const heights = layout.bands.map((band) => band[0]?.height ?? 0);
      const used = heights.reduce((sum, height) => sum + height, 0) + 3 + (layout.scrubber ? 1 : 0);
      const widths = layout.bands.every((band) => band.reduce((sum, { width }) => sum + width, 0) === columns);
      const even = layout.bands.every((band) => band.every(({ height }) => height === band[0]?.height));
      return used === rows && widths && even && heights.every((height) => height >= 4);
    }),
  );
});

test('sizes', () => {
  const tier = (columns: number, rows: number): string => {
    const { tier: name, bands } = layoutFor({ columns, rows, focus: 'stage', lower: 'objects', zoom: false });
    return `${name}: ${bands.map((band) => band.map(({ id }) => id).join('+')).join(' / ')}`;
  };
  expect([tier(79, 24), tier(80, 23), tier(80, 24), tier(100, 30), tier(120, 36)]).toEqual([
    'none: ',
    'none: ',
    'tabs: stage',
    'half: stage / objects',
    'full: stage / objects+diff / timeline',
  ]);
});
