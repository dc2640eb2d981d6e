import { CycleState } from '../../components/kube-scheduler/framework/cycle-state.ts';
import { FitError } from '../../components/kube-scheduler/framework/fit-error.ts';
import { bestCandidates, type Candidate } from '../../components/kube-scheduler/framework/preemption/candidate.ts';
import type { Framework } from '../../components/kube-scheduler/framework/runtime/framework.ts';
import type { PostFilterOutcome } from '../../components/kube-scheduler/framework/interface.ts';
import { Status } from '../../components/kube-scheduler/framework/status.ts';
import type { DefaultPreemption } from '../../components/kube-scheduler/plugins/default-preemption.ts';
import type { DynamicResources } from '../../components/kube-scheduler/plugins/dynamic-resources.ts';
import type { VolumeBinding } from '../../components/kube-scheduler/plugins/volume-binding.ts';
import { schedulePod, type ScheduleResult } from '../../components/kube-scheduler/schedule-pod.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../src/api/object.ts';
import { deepEqual } from '../../src/api/deep-equal.ts';
import { type SchedulerCase, SchedulerWorld } from './scheduler-world.ts';

type Expected = Record<string, unknown> & { readonly pod: string; readonly chosen?: string; readonly node?: string };
type Decision = Record<string, unknown>;

/** Plays the pods of a case one after the other; returns what differs from the recording, in words. */
export function playSchedulerCase(testCase: SchedulerCase): string[] {
  const world = new SchedulerWorld(testCase);
  const differences: string[] = [];
  let bound = 0;
  for (const [i, given] of testCase.pods.entries()) {
    const expected = testCase.expect[i] as Expected;
    const pod = world.admit(given);
    const { decision, candidates } = decide(world, pod, expected);
    differences.push(...compare(expected, decision));
    const node = expected.chosen ?? expected.node;
    if (node) settle(world, { pod, node, start: 10 + bound++, expected });
    else world.forgetPending(pod);
    if (expected['preempted'] && candidates) {
      const victims = expected['preempted'] as string[];
      differences.push(...afterEviction(world, { pod, expected, victims }));
      const landed = (expected['afterEviction'] as { node?: string } | undefined)?.node;
      if (landed) settle(world, { pod, node: landed, start: 10 + bound++, expected });
    }
  }
  return differences;
}

function decide(world: SchedulerWorld, pod: Pod, expected: Expected): { decision: Decision; candidates?: readonly Candidate[] } {
  const fwk = world.frameworkFor(pod);
  if (!fwk || pod.spec?.nodeName || fwk.runPreEnqueuePlugins(pod)) {
    return { decision: pod.spec?.nodeName ? { node: pod.spec.nodeName } : { ignored: true } };
  }
  world.setPending(pod);
  world.refresh();
  const state = new CycleState();
  const result = schedulePod(world.algorithm, { fwk, state, pod });
  if (result instanceof Status) return { decision: { unschedulable: { reason: result.isRejected ? 'Unschedulable' : 'SchedulerError', message: result.message } } };
  if (!(result instanceof FitError)) {
    const node = expected.chosen ?? expected.node ?? '';
    const volumes = volumesOf(fwk, state, pod, node);
    allocateClaims(world, { fwk, state, pod, node });
    return { decision: { ...scheduled(result), ...volumes } };
  }
  return explainFailure({ fwk, state, pod, fitError: result });
}

function explainFailure(attempt: { fwk: Framework; state: CycleState; pod: Pod; fitError: FitError }) {
  const { fwk, state, pod, fitError } = attempt;
  const { diagnosis } = fitError;
  const candidates = candidatesOf(fwk, state, pod, fitError);
  const { result, status } = fwk.runPostFilterPlugins(state, pod, diagnosis.nodeToStatus) as PostFilterOutcome;
  diagnosis.postFilterMessage = status?.message ?? '';
  const nominatedNodeName = result?.nominatedNodeName;
  const victims = candidates.find((one) => one.nodeName === nominatedNodeName)?.victims.map(keyOf);
  const absent = diagnosis.nodeToStatus.absent;
  const best = bestCandidates(candidates, Date.UTC(2026, 0, 3));
  const decision: Decision = {
    unschedulable: { reason: 'Unschedulable', message: fitError.message, ...(nominatedNodeName ? { nominatedNodeName } : {}) },
    ...(diagnosis.preFilterMessage ? { preFilter: diagnosis.preFilterMessage } : filterOf(diagnosis.nodeToStatus.byNode)),
    ...(!diagnosis.preFilterMessage && absent.reasons.length ? { absent: { code: absent.code, reasons: [...absent.reasons] } } : {}),
    ...(candidates.length
      ? { candidates: Object.fromEntries(candidates.map((one) => [one.nodeName, { victims: one.victims.map(keyOf), pdbViolations: one.numPDBViolations }])) }
      : {}),
    ...(best.length > 1 ? { candidateTie: best.map((one) => one.nodeName).sort() } : {}),
    ...(victims ? { preempted: [...victims].sort() } : {}),
  };
  return { decision, candidates };
}

function candidatesOf(fwk: Framework, state: CycleState, pod: Pod, { diagnosis }: FitError): readonly Candidate[] {
  const plugin = fwk.getPlugin('DefaultPreemption') as DefaultPreemption | undefined;
  if (!plugin || diagnosis.preFilterMessage || pod.spec?.preemptionPolicy === 'Never') return [];
  return plugin.evaluator.findCandidates(state, pod, diagnosis.nodeToStatus).candidates;
}

function filterOf(statuses: ReadonlyMap<string, Status>): Decision {
  if (statuses.size === 0) return {};
  return { filter: Object.fromEntries([...statuses].map(([node, { plugin, code, reasons }]) => [node, { plugin, code, reasons: [...reasons].sort() }])) };
}

function scheduled(result: ScheduleResult): Decision {
  const equals = [...result.equals].sort();
  const { scores } = result;
  const each = <T>(value: (i: number) => T) => Object.fromEntries((scores?.nodes ?? []).map((node, i) => [node.name, value(i)]));
  return {
    ...(equals.length > 1 ? { anyOf: equals } : { node: result.suggestedHost }),
    ...filterOf(result.refused(Number.POSITIVE_INFINITY)),
    ...(scores
      ? {
          scores: each((i) => Object.fromEntries(scores.plugins.map((one) => [one.name, (one.normalized[i] ?? 0) * one.weight]))),
          total: each((i) => scores.totals[i] ?? 0),
        }
      : {}),
  };
}

function volumesOf(fwk: Framework, state: CycleState, pod: Pod, node: string): Decision {
  fwk.runReservePluginsReserve(state, pod, node);
  const assumed = (fwk.getPlugin('VolumeBinding') as VolumeBinding | undefined)?.assumedVolumes(state);
  if (!assumed || assumed.volumes.length + assumed.claims.length === 0) return {};
  const volumes: Decision = {};
  for (const { spec, metadata } of assumed.volumes) volumes[`${spec?.claimRef?.namespace}/${spec?.claimRef?.name}`] = { persistentVolume: metadata.name };
  for (const claim of assumed.claims) volumes[keyOf(claim)] = { selectedNode: node };
  return { volumes };
}

/** Writes down what the pod's resource claims got, as the scheduler does before it binds. */
function allocateClaims(world: SchedulerWorld, { fwk, state, pod, node }: { fwk: Framework; state: CycleState; pod: Pod; node: string }): void {
  const plugin = fwk.getPlugin('DynamicResources') as DynamicResources | undefined;
  for (const [key, allocation] of plugin?.allocationsOn(state, node) ?? []) {
    const claim = world.stores.get('resourceClaims')?.get(key);
    const consumer = { resource: 'pods', name: pod.metadata.name ?? '', uid: pod.metadata.uid ?? '' };
    if (claim) world.put({ ...claim, status: { allocation, reservedFor: [consumer] } });
  }
}

/** The pod runs on its node, and the volume controller has done its work. */
function settle(world: SchedulerWorld, { pod, node, start, expected }: { pod: Pod; node: string; start: number; expected: Expected }): void {
  world.forgetPending(pod);
  const startTime = `2026-01-02T${start}:00:00Z`;
  world.addPod({ ...pod, spec: { ...pod.spec, nodeName: node } as NonNullable<Pod['spec']>, status: { phase: 'Running', startTime } });
  for (const [key, how] of Object.entries((expected['volumes'] ?? {}) as Record<string, { persistentVolume?: string }>)) bindClaim(world, key, how.persistentVolume);
}

function bindClaim(world: SchedulerWorld, key: string, volumeName: string | undefined): void {
  const claim = world.stores.get('persistentVolumeClaims')?.get(key) as unknown as PersistentVolumeClaim;
  const name = volumeName ?? `pvc-${claim.metadata.uid}`;
  const { namespace = '', name: claimName = '', uid = '' } = claim.metadata;
  const volume = world.stores.get('persistentVolumes')?.get(name) as unknown as PersistentVolume | undefined;
  const spec = { ...(volume?.spec ?? { csi: { driver: 'csi.example.com', volumeHandle: name } }), claimRef: { namespace, name: claimName, uid } };
  world.put({ kind: 'PersistentVolume', metadata: { ...volume?.metadata, name }, spec, status: { phase: 'Bound' } });
  const annotations = { ...claim.metadata.annotations, 'pv.kubernetes.io/bind-completed': 'yes' };
  world.put({ kind: 'PersistentVolumeClaim', metadata: { ...claim.metadata, annotations }, spec: { ...claim.spec, volumeName: name }, status: { phase: 'Bound' } });
}

function afterEviction(world: SchedulerWorld, run: { pod: Pod; expected: Expected; victims: readonly string[] }): string[] {
  const { pod, expected, victims } = run;
  const nominatedNodeName = (expected['unschedulable'] as { nominatedNodeName?: string }).nominatedNodeName ?? '';
  for (const victim of victims) world.removePod(victim);
  const fwk = world.frameworkFor(pod) as Framework;
  const nominated: Pod = { ...pod, status: { ...pod.status, nominatedNodeName } };
  world.setPending(nominated);
  world.refresh();
  const result = schedulePod(world.algorithm, { fwk, state: new CycleState(), pod: nominated });
  world.forgetPending(nominated);
  const landed = expected['afterEviction'] as { node?: string } | undefined;
  const node = result instanceof Status || result instanceof FitError ? undefined : result.suggestedHost;
  return landed?.node === node ? [] : [`${expected.pod} afterEviction: want ${landed?.node} got ${node}`];
}

const COMPARED = ['node', 'anyOf', 'ignored', 'unschedulable', 'preFilter', 'filter', 'absent', 'scores', 'total', 'candidates', 'candidateTie', 'preempted', 'volumes'];

function compare(expected: Expected, decision: Decision): string[] {
  const want = sortReasons(expected);
  const tie = want['candidateTie'] as string[] | undefined;
  const chosen = (decision['unschedulable'] as { nominatedNodeName?: string } | undefined)?.nominatedNodeName;
  return COMPARED.flatMap((field) => {
    // Chance decides among equal candidates: the recording shows one way.
    if (field === 'preempted' && tie?.includes(chosen ?? '')) return [];
    if (field === 'unschedulable' && tie?.includes(chosen ?? '')) {
      (decision['unschedulable'] as Decision)['nominatedNodeName'] = (want['unschedulable'] as Decision)['nominatedNodeName'];
    }
    return deepEqual(want[field], decision[field]) ? [] : [`${expected.pod} ${field}:\n    want ${JSON.stringify(want[field])}\n    got  ${JSON.stringify(decision[field])}`];
  });
}

function sortReasons(expected: Expected): Decision {
  const filter = expected['filter'] as Record<string, { reasons: string[] }> | undefined;
  const anyOf = expected['anyOf'] as string[] | undefined;
  return {
    ...expected,
    ...(anyOf ? { anyOf: [...anyOf].sort() } : {}),
    ...(filter ? { filter: Object.fromEntries(Object.entries(filter).map(([node, one]) => [node, { ...one, reasons: [...one.reasons].sort() }])) } : {}),
  };
}
