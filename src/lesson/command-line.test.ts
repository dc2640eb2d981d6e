import { expect, test } from 'vitest';
import { canonicalCommand, commandWords } from './command-line.ts';

test.each([
  ['delete pod web-1', 'delete pod web-1'],
  ['kubectl delete po/web-1 -n default', 'delete pod web-1'],
  ['k delete pods web-1', 'delete pod web-1'],
  ['scale --replicas 5 deployment.apps/web', 'scale deployment web --replicas=5'],
  ['scale deploy web --replicas=5', 'scale deployment web --replicas=5'],
  ['get po -o wide -n kube-system', 'get pod --namespace=kube-system --output=wide'],
  ['ｄｅｌｅｔｅ　pod　web-1', 'delete pod web-1'],
  ['label node pod disk=ssd', 'label node pod disk=ssd'],
])('%s', (line, canonical) => {
  expect(canonicalCommand(line)).toBe(canonical);
});

test('nothing, or an open quote, is no command', () => {
  expect([commandWords('kubectl'), commandWords(' '), commandWords("get 'pods")]).toEqual([undefined, undefined, undefined]);
});
