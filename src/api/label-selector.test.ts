import { expect, test } from 'vitest';
import { labelSelectorAsSelector, parseLabelSelector } from './label-selector.ts';
import type { ApiStatusError } from './status-error.ts';

const objects: Record<string, Record<string, string>> = {
  a: { app: 'x', tier: 'front', n: '3' },
  b: { app: 'x', tier: 'back', n: '5' },
  c: { app: 'y', n: '15' },
  d: { empty: '' },
};
const select = (text: string): string =>
  Object.keys(objects)
    .filter((name) => parseLabelSelector(text).matches(objects[name]))
    .join('');
const complaint = (text: string): string => {
  try {
    return `no error: ${parseLabelSelector(text)}`;
  } catch (error) {
    return (error as ApiStatusError).message;
  }
};

test('every operator selects as the API does', () => {
  const cases: Record<string, string> = {
    'app=x': 'ab',
    'app==x': 'ab',
    'app!=x': 'cd',
    app: 'abc',
    '!app': 'd',
    'app in (x,y)': 'abc',
    'app notin (x)': 'cd',
    'app in ()': '',
    'n>5': 'c',
    'n<5': 'a',
    ' app = x , tier = back ': 'b',
    'app=x,app=y': '',
    'empty=': 'd',
    empty: 'd',
    '': 'abcd',
    'app in (x,)': 'ab',
  };
  for (const [text, names] of Object.entries(cases)) expect([text, select(text)]).toEqual([text, names]);
});

test('malformed selectors are refused in the words of the API', () => {
  expect(complaint('a=(b')).toBe("unable to parse requirement: found '(', expected: identifier");
  expect(complaint('app in x')).toBe("unable to parse requirement: found 'x' expected: '('");
  expect(complaint('app in (x')).toBe("unable to parse requirement: found '', expected: ',' or ')'");
  expect(complaint('app=x,')).toBe("found '', expected: identifier after ','");
  expect(complaint('=x')).toBe("found '=', expected: !, identifier, or 'end of string'");
  expect(complaint('app=x y')).toBe("found 'y', expected: ',' or 'end of string'");
  expect(complaint('app===x')).toBe("unable to parse requirement: found '=', expected: identifier");
  expect(complaint('!app=x')).toBe("found '=', expected: ',' or 'end of string'");
  expect(complaint('app notin')).toBe("unable to parse requirement: found '' expected: '('");
  expect(complaint('!')).toBe("unable to parse requirement: found '', expected: identifier");
  expect(complaint('app,,tier')).toBe("found ',', expected: identifier after ','");
  expect(complaint('n>=5')).toBe("unable to parse requirement: found '=', expected: identifier");
  expect(complaint('n>x')).toBe(
    `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  );
  expect(complaint('app=-x')).toMatch(/^unable to parse requirement: values\[0\]\[app\]: Invalid value: "-x": a valid label must be/);
  expect(complaint('a/b/c=x')).toMatch(/^unable to parse requirement: <nil>: Invalid value: "a\/b\/c": a qualified name must consist of/);
});

test('a LabelSelector object: absent selects nothing, empty everything', () => {
  expect(labelSelectorAsSelector(undefined).matches({ a: 'b' })).toBe(false);
  expect(labelSelectorAsSelector({}).matches({ a: 'b' })).toBe(true);
  const selector = labelSelectorAsSelector({
    matchLabels: { app: 'x' },
    matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front'] }],
  });
  expect(selector.toString()).toBe('app=x,tier notin (front)');
  expect(Object.keys(objects).filter((name) => selector.matches(objects[name]))).toEqual(['b']);
});
