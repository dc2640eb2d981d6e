import { expect, test } from 'vitest';
import { menuContent, moveInMenu } from './menu-view.ts';

const items = Array.from({ length: 30 }, (_, index) => ({ id: String(index), label: `item ${index}`, note: 'note' }));

test('the selected item is always to be seen', () => {
  for (const selected of [0, 14, 29]) {
    const { lines } = menuContent({ title: 'What?', items, selected, width: 60, height: 12, keys: 'q leave' });
    expect(lines.length).toBe(12);
    expect(
      lines.some((line) =>
        line
          .map(({ text }) => text)
          .join('')
          .startsWith(` > item ${selected} `),
      ),
    ).toBe(true);
  }
});

test('keys move within the list; digits choose', () => {
  expect([
    moveInMenu(0, 'k', 3),
    moveInMenu(0, 'j', 3),
    moveInMenu(2, 'down', 3),
    moveInMenu(0, '3', 3),
    moveInMenu(1, 'G', 3),
    moveInMenu(2, 'g', 3),
  ]).toEqual([0, 1, 2, 2, 2, 0]);
});
