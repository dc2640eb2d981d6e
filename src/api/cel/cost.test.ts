import { expect, it } from 'vitest';
import { BOOL, type CelType, listOf } from './cel-type.ts';
import { estimateCost } from './cost.ts';
import { compile } from './environment.ts';

const text = (maxElements: number): CelType => ({ kind: 'string', maxElements });
const self: CelType = {
  kind: 'object',
  name: 'self',
  field: (name) => ({ s: text(100), l: listOf(text(10), 20), on: BOOL })[name],
};

function cost(source: string): number {
  const { program } = compile(source, new Map([['self', self]]));
  return program ? estimateCost(program.expr, program.checked).max : Number.NaN;
}

it('counts names, and texts by their length', () => {
  expect(cost('self.on')).toBe(2);
  expect(cost("self.s.startsWith('abc')")).toBe(3);
  expect(cost("self.s.contains('x')")).toBe(12);
});

it('counts loops by the size of the list, and loops in loops by both', () => {
  const once = cost("self.l.all(x, x != 'a')");
  expect(once).toBeGreaterThan(100);
  expect(cost('self.l.all(x, self.l.all(y, x != y))')).toBeGreaterThan(20 * once * 0.9);
});
