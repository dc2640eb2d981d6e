import { expect, test } from 'vitest';
import { tabulate } from './tab-writer.ts';

test('columns are as wide as the lines that follow each other need, plus two', () => {
  expect(tabulate('Name:\tweb\nNamespace:\tdefault\nConditions:\n  Type\tStatus\n  Ready \tTrue ')).toEqual([
    'Name:       web',
    'Namespace:  default',
    'Conditions:',
    '  Type    Status',
    '  Ready   True ',
  ]);
});

test('a line without the cell ends its column', () => {
  expect(tabulate('a\tb\tc\nlong\tx\nplain\nq\tr')).toEqual(['a     b  c', 'long  x', 'plain', 'q  r']);
});
