import { expect, it } from 'vitest';
import { policyOf } from './levels.ts';

const PREFIX = 'pod-security.kubernetes.io/';

/** The levels that such labels ask for: what is enforced, and what is warned of. */
function asked(labels: Record<string, string>): string[] {
  const full = Object.fromEntries(Object.entries(labels).map(([name, value]) => [PREFIX + name, value]));
  return (['enforce', 'warn'] as const).map((mode) => {
    const { level, version } = policyOf(full, mode);
    return `${level}:${version}`;
  });
}

it('warns of what is enforced, unless warnings have a level of their own', () => {
  expect(asked({})).toEqual(['privileged:latest', 'privileged:latest']);
  expect(asked({ enforce: 'restricted' })).toEqual(['restricted:latest', 'restricted:latest']);
  expect(asked({ enforce: 'baseline', 'enforce-version': 'v1.30' })).toEqual(['baseline:v1.30', 'baseline:v1.30']);
  expect(asked({ enforce: 'restricted', warn: 'baseline' })).toEqual(['restricted:latest', 'baseline:latest']);
  expect(asked({ warn: 'restricted' })).toEqual(['privileged:latest', 'restricted:latest']);
});

it('takes what is no level for the strictest, and warns of nothing', () => {
  expect(asked({ enforce: 'strict', 'enforce-version': 'new' })).toEqual(['restricted:latest', 'privileged:latest']);
});
