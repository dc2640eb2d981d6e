import { expect, test } from 'vitest';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { podOf } from '../../../test/support/runtime-states.ts';
import { PodAdmission } from './admission.ts';
import { podRequest } from './pod-request.ts';

const node: Node = {
  metadata: { name: 'n1', labels: { disk: 'ssd' } },
  spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoExecute' }] },
  status: { allocatable: { cpu: '2', memory: '1Gi', pods: '2' } },
};
const tolerations = [{ operator: 'Exists' }];
const withRequests = (uid: string, requests: Record<string, string>): Pod =>
  podOf({ tolerations, containers: [{ name: 'a', resources: { requests } }] }, { uid });

test('what does not fit beside the others is refused', () => {
  const admission = new PodAdmission({ node: () => node, before: [] });
  const first = withRequests('1', { cpu: '1500m' });
  expect(admission.admit(first)).toBeUndefined();
  admission.reserve(first);
  expect(admission.admit(withRequests('2', { cpu: '600m' }))).toEqual({
    reason: 'OutOfcpu',
    message: "Node didn't have enough resource: cpu, requested: 600, used: 1500, capacity: 2000",
  });
  expect(admission.admit(withRequests('2', { memory: '2Gi' }))).toMatchObject({ reason: 'OutOfmemory' });
  admission.reserve(withRequests('2', {}));
  expect(admission.admit(withRequests('3', {}))).toEqual({
    reason: 'OutOfpods',
    message: "Node didn't have enough resource: pods, requested: 1, used: 2, capacity: 2",
  });
  admission.release('1');
  expect(admission.admit(withRequests('3', { cpu: '2' }))).toBeUndefined();
});

test('selectors and taints are looked at again', () => {
  const admission = new PodAdmission({ node: () => node, before: [] });
  expect(admission.admit(podOf({ tolerations, nodeSelector: { disk: 'hdd' } }))).toEqual({
    reason: 'NodeAffinity',
    message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  });
  expect(admission.admit(podOf({}))).toMatchObject({ reason: 'TaintToleration' });
  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
      },
    },
  };
  expect(admission.admit(podOf({ tolerations, affinity }))).toBeUndefined();
});

test('two pods cannot have one port of the node', () => {
  const withPort = (uid: string, hostPort: number, more: object = {}): Pod =>
    podOf({ tolerations, containers: [{ name: 'a', ports: [{ containerPort: 80, hostPort, ...more }] }] }, { uid });
  const admission = new PodAdmission({ node: () => node, before: [] });
  admission.reserve(withPort('1', 8080));
  expect(admission.admit(withPort('2', 8080, { hostIP: '10.0.0.1' }))).toEqual({
    reason: 'NodePorts',
    message: "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  });
  expect(admission.admit(withPort('2', 8080, { protocol: 'UDP' }))).toBeUndefined();
  expect(admission.admit(withPort('2', 8081))).toBeUndefined();
});

test('a pod for another system is refused', () => {
  const admission = new PodAdmission({ node: () => node, before: [] });
  expect(admission.admit(podOf({ tolerations, os: { name: 'windows' } }))).toEqual({
    reason: 'PodOSNotSupported',
    message: "Failed to admit pod as the OS field doesn't match node OS",
  });
  expect(admission.admit(podOf({ tolerations }, { labels: { 'kubernetes.io/os': 'windows' } }))).toMatchObject({
    reason: 'PodOSSelectorNodeLabelDoesNotMatch',
  });
  expect(admission.admit(podOf({ tolerations, os: { name: 'linux' } }, { labels: { 'kubernetes.io/os': 'linux' } }))).toBeUndefined();
});

test('taints do not keep a static pod away', () => {
  const admission = new PodAdmission({ node: () => node, before: [] });
  expect(admission.admit(podOf({}, { annotations: { 'kubernetes.io/config.source': 'file' } }))).toBeUndefined();
});

test("a pod's request: the larger of the sum and the largest init container, sidecars in both", () => {
  const cpu = (name: string, amount: string, more = {}) => ({ name, resources: { requests: { cpu: amount } }, ...more });
  const pod = podOf({
    initContainers: [cpu('s', '100m', { restartPolicy: 'Always' }), cpu('i', '900m')],
    containers: [cpu('a', '300m'), cpu('b', '300m')],
    overhead: { cpu: '50m' },
  });
  expect(podRequest(pod).get('cpu')).toBe(1050);
});
