import { expect, test } from 'vitest';
import { completeKubectl } from './complete-kubectl.ts';

const NAMES = [
  { kind: 'Pod', namespace: 'default', name: 'web-1' },
  { kind: 'Pod', namespace: 'default', name: 'web-2' },
  { kind: 'Node', namespace: undefined, name: 'n1' },
  { kind: 'Namespace', namespace: undefined, name: 'kube-system' },
];
const complete = (line: string): string => completeKubectl(line, NAMES).line;

test('verbs, resources, names, flags', () => {
  expect(complete('kubectl desc')).toBe('kubectl describe ');
  expect(complete('kubectl get deploym')).toBe('kubectl get deployments ');
  expect(complete('kubectl delete pod w')).toBe('kubectl delete pod web-');
  expect(complete('kubectl delete pod/web-1')).toBe('kubectl delete pod/web-1 ');
  expect(complete('kubectl get pods --all')).toBe('kubectl get pods --all-namespaces ');
  expect(complete('kubectl get pods -n ku')).toBe('kubectl get pods -n kube-system ');
  expect(complete('kubectl rollout und')).toBe('kubectl rollout undo ');
  expect(complete('kubectl logs ')).toBe('kubectl logs web-');
  expect(complete('kubectl drain ')).toBe('kubectl drain n1 ');
});

test('what cannot be completed stays as it is; choices are named', () => {
  expect(complete('kubectl get nonsense')).toBe('kubectl get nonsense');
  expect(completeKubectl('kubectl delete pod ', NAMES).choices).toEqual(['web-1', 'web-2']);
});
