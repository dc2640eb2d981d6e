import { expect, it } from 'vitest';
import { schemaOfKind } from '../api/schema.ts';
import { mergeThreeWay } from './three-way-merge.ts';

const container = (name: string, more = {}) => ({ name, image: `${name}:1`, ...more });
const pod = (containers: object[], labels: Record<string, string> = {}) => ({ metadata: { labels }, spec: { containers } });

it('sets what is applied, takes away what was applied before, and leaves what others have set', () => {
  const original = pod([container('web'), container('old')], { app: 'web', gone: 'x' });
  const modified = pod([container('web', { image: 'web:2' }), container('new')], { app: 'web' });
  const current = pod([container('web', { terminationMessagePath: '/dev/termination-log' }), container('old'), container('sidecar')], {
    app: 'web',
    gone: 'x',
    other: 'y',
  });
  expect(mergeThreeWay({ original, modified, current }, schemaOfKind('v1', 'Pod'))).toEqual(
    pod([container('web', { image: 'web:2', terminationMessagePath: '/dev/termination-log' }), container('new'), container('sidecar')], {
      app: 'web',
      other: 'y',
    }),
  );
});
