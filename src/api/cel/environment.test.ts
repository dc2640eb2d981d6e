import { describe, expect, it } from 'vitest';
import { type CelType, DYN, INT, listOf, STRING } from './cel-type.ts';
import { compile } from './environment.ts';
import { jsonValue } from './json-value.ts';
import { CelError } from './values.ts';

const object: CelType = { kind: 'object', name: 'thing', field: (name) => ({ a: INT, s: STRING, l: listOf(STRING) })[name] };
const variables = new Map<string, CelType>([
  ['self', DYN],
  ['thing', object],
]);

function evaluated(source: string, self: unknown = {}): unknown {
  const { program, error } = compile(source, variables);
  if (!program) return error;
  try {
    return program.evaluate((name) => (name === 'self' ? jsonValue(self) : undefined)).value;
  } catch (thrown) {
    if (thrown instanceof CelError) return thrown.message;
    throw thrown;
  }
}

describe('what does not compile is told as cel-go tells it', () => {
  it.each([
    ['thing.b > 1', "ERROR: <input>:1:6: undefined field 'b'\n | thing.b > 1\n | .....^"],
    [
      "thing.a == 'x'",
      "ERROR: <input>:1:9: found no matching overload for '_==_' applied to '(int, string)'\n | thing.a == 'x'\n | ........^",
    ],
    [
      'thing.s.reverse()',
      "ERROR: <input>:1:16: undeclared reference to 'reverse' (in container '')\n | thing.s.reverse()\n | ...............^",
    ],
    ['object.(', "ERROR: <input>:1:8: Syntax error: no viable alternative at input '.('\n | object.(\n | .......^"],
    ['(true', "ERROR: <input>:1:6: Syntax error: missing ')' at '<EOF>'\n | (true\n | .....^"],
    ['a b', "ERROR: <input>:1:3: Syntax error: extraneous input 'b' expecting <EOF>\n | a b\n | ..^"],
  ])('%s', (source, text) => expect(evaluated(source)).toBe(text));
});

describe('values', () => {
  it.each([
    ['1 + 2 * 3 == 7', true],
    ['1/0 == 1 || true', true],
    ['1/0 == 1 && true', 'division by zero'],
    ['self.a', 'no such key: a'],
    ["has(self.a) || 'x' in ['x']", true],
    ['self.?a.orValue(3)', 3n],
    ['[1, 2].map(x, x * 2).filter(x, x > 2)', [4n]],
    ['[3, 1].exists_one(x, x == 3)', true],
    ['[1, 2].transformList(i, v, v + i)', [1n, 3n]],
    ['optional.of(1).optMap(v, v + 1).value()', 2n],
    ['dyn(1) == 1.0', true],
    ["type(1) == int ? 'int' : 'other'", 'int'],
    ["'äöü'.size()", 3n],
    ["'a,b,c'.split(',', 2)", ['a', 'b,c']],
    ["'%s is %d'.format(['a', 3])", 'a is 3'],
    ["'abc'.find('[b-z]+')", 'bc'],
    ["duration('1h30m').getMinutes()", 90n],
    ["timestamp('2024-02-29T12:00:00Z').getDayOfYear()", 59n],
    ["quantity('1Gi').isGreaterThan(quantity('1G'))", true],
    ["cidr('10.0.0.0/8').containsIP('10.1.2.3')", true],
    ["string(ip('2001:db8:0:0::1'))", '2001:db8::1'],
    ["url('https://example.com:8443/a?b=c').getHost()", 'example.com:8443'],
    ["format.dns1123Label().validate('A').hasValue()", true],
    ["semver('1.2.3').isLessThan(semver('1.10.0'))", true],
    ['sets.equivalent([1, 2], [2, 1, 1])', true],
    ['9223372036854775807 + 1', 'integer overflow'],
  ])('%s', (source, value) => expect(evaluated(source)).toEqual(value));
});

it('stops what costs too much', () => {
  const { program } = compile('self.l.all(x, self.l.all(y, x <= y || x > y))', variables);
  const l = jsonValue({ l: Array.from({ length: 200 }, (_, index) => index) });
  expect(() => program?.evaluate((name) => (name === 'self' ? l : undefined), 10_000)).toThrow('actual cost limit exceeded');
});
