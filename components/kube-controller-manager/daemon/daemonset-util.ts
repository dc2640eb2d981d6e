import { getScaledValueFromIntOrPercent, type IntOrString } from '../../../src/api/intstr.ts';
import type { DaemonSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Affinity, Node, NodeSelectorTerm, Pod, PodSpec, PodTemplateSpec, Toleration } from '../../../src/api/kinds/core-v1.ts';
import { matchesRequiredNodeAffinity } from '../../../src/api/node-affinity.ts';
import { findMatchingUntoleratedTaint } from '../../../src/api/taints.ts';
import { parseTime } from '../../../src/api/time.ts';

/** pkg/controller/daemon/daemon_controller.go controllerKind */
export const DAEMON_SET = { apiVersion: 'apps/v1', kind: 'DaemonSet' };
/** apps/v1 DefaultDaemonSetUniqueLabelKey, the same as ControllerRevisionHashLabelKey */
export const REVISION_HASH_LABEL = 'controller-revision-hash';

/** The field by which a pod can ask for a node. */
const METADATA_NAME = 'metadata.name';
const TEMPLATE_GENERATION_LABEL = 'pod-template-generation';
const TEMPLATE_GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';

/** pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations */
function daemonTolerations(spec: PodSpec): Toleration[] {
  const noSchedule = [
    'disk-pressure',
    'memory-pressure',
    'pid-pressure',
    'unschedulable',
    ...(spec.hostNetwork ? ['network-unavailable'] : []),
  ];
  const own = [
    ...['not-ready', 'unreachable'].map((name) => ({ name, effect: 'NoExecute' })),
    ...noSchedule.map((name) => ({ name, effect: 'NoSchedule' })),
  ].map(({ name, effect }): Toleration => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }));
  const all = [...(spec.tolerations ?? [])];
  for (const toleration of own) {
    const place = all.findIndex(({ key, effect }) => key === toleration.key && effect === toleration.effect);
    if (place < 0) all.push(toleration);
    else all[place] = toleration;
  }
  return all;
}

/** The template of the DaemonSet's pods, without a node: pkg/controller/daemon/util/daemonset_util.go CreatePodTemplate */
export function createPodTemplate(ds: DaemonSet, hash: string): PodTemplateSpec {
  const template = ds.spec?.template ?? {};
  const generation = getTemplateGeneration(ds);
  const spec: PodSpec = { containers: [], ...template.spec };
  const labels = {
    ...template.metadata?.labels,
    ...(generation === undefined ? {} : { [TEMPLATE_GENERATION_LABEL]: generation }),
    ...(hash ? { [REVISION_HASH_LABEL]: hash } : {}),
  };
  return { ...template, metadata: { ...template.metadata, labels }, spec: { ...spec, tolerations: daemonTolerations(spec) } };
}

/** pkg/controller/daemon/util/daemonset_util.go ReplaceDaemonSetPodNodeNameNodeAffinity */
export function replaceDaemonSetPodNodeNameNodeAffinity(affinity: Affinity | undefined, nodeName: string): Affinity {
  const nodeSelectorTerms: NodeSelectorTerm[] = [{ matchFields: [{ key: METADATA_NAME, operator: 'In', values: [nodeName] }] }];
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { ...affinity, nodeAffinity };
}

/** The node that the pod is for, also before it is bound: pkg/controller/daemon/util/daemonset_util.go GetTargetNodeName */
export function getTargetNodeName(pod: Pod): string | undefined {
  if (pod.spec?.nodeName) return pod.spec.nodeName;
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const term of terms) {
    const field = term.matchFields?.find(({ key, operator, values }) => key === METADATA_NAME && operator === 'In' && values?.length === 1);
    if (field) return field.values?.[0];
  }
  return undefined;
}

/** pkg/controller/daemon/util/daemonset_util.go GetTemplateGeneration */
function getTemplateGeneration(ds: DaemonSet): string | undefined {
  const text = ds.metadata.annotations?.[TEMPLATE_GENERATION_ANNOTATION];
  return text !== undefined && /^\d+$/.test(text) ? text : undefined;
}

/** pkg/controller/daemon/util/daemonset_util.go IsPodUpdated */
export function isPodUpdated(pod: Pod, hash: string, ds: DaemonSet): boolean {
  const labels = pod.metadata.labels ?? {};
  const generation = getTemplateGeneration(ds);
  const templateMatches = generation !== undefined && labels[TEMPLATE_GENERATION_LABEL] === generation;
  return templateMatches || (hash !== '' && labels[REVISION_HASH_LABEL] === hash);
}

/** Whether a node should get a pod, and whether one that is there may stay. */
export interface NodeDecision {
  readonly shouldRun: boolean;
  readonly shouldContinueRunning: boolean;
}

/** Nodes and templates do not change, so what was decided for the two holds for as long as they live. */
const decisions = new WeakMap<PodTemplateSpec, WeakMap<Node, NodeDecision>>();

/** pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod */
export function nodeShouldRunDaemonPod(node: Node, ds: DaemonSet): NodeDecision {
  const template = ds.spec?.template ?? {};
  let known = decisions.get(template);
  if (!known) {
    known = new WeakMap();
    decisions.set(template, known);
  }
  let decision = known.get(node);
  if (!decision) {
    decision = decideForNode(node, { containers: [], ...template.spec });
    known.set(node, decision);
  }
  return decision;
}

function decideForNode(node: Node, spec: PodSpec): NodeDecision {
  if (spec.nodeName && spec.nodeName !== node.metadata.name) return { shouldRun: false, shouldContinueRunning: false };
  if (!matchesRequiredNodeAffinity(spec, node)) return { shouldRun: false, shouldContinueRunning: false };
  const taints = node.spec?.taints;
  if (!taints?.length) return { shouldRun: true, shouldContinueRunning: true };
  const tolerations = daemonTolerations(spec);
  const isUntolerated = (effects: readonly string[]): boolean =>
    findMatchingUntoleratedTaint(taints, tolerations, ({ effect }) => effects.includes(effect)) !== undefined;
  if (!isUntolerated(['NoExecute', 'NoSchedule'])) return { shouldRun: true, shouldContinueRunning: true };
  return { shouldRun: false, shouldContinueRunning: !isUntolerated(['NoExecute']) };
}

/** On a node first, then the oldest, then by name: pkg/controller/daemon/daemon_controller.go podByCreationTimestampAndPhase */
export function sortDaemonPods(pods: readonly Pod[]): Pod[] {
  if (pods.length < 2) return [...pods];
  const created = (pod: Pod): number => parseTime(pod.metadata.creationTimestamp) ?? 0;
  return [...pods].sort(
    (a, b) =>
      Number(!a.spec?.nodeName) - Number(!b.spec?.nodeName) ||
      created(a) - created(b) ||
      ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  );
}

/** How many pods a rolling update may take away, or add on top, at once. */
export interface RollingUpdateLimits {
  readonly maxUnavailable: number;
  readonly maxSurge: number;
}

/** pkg/controller/daemon/update.go updatedDesiredNodeCounts */
export function rollingUpdateLimits(ds: DaemonSet, desired: number): RollingUpdateLimits {
  const maxSurge = scaled(ds.spec?.updateStrategy?.rollingUpdate?.maxSurge, desired);
  const maxUnavailable = scaled(ds.spec?.updateStrategy?.rollingUpdate?.maxUnavailable, desired);
  return { maxSurge, maxUnavailable: maxUnavailable === 0 && maxSurge === 0 ? 1 : maxUnavailable };
}

/** pkg/controller/daemon/util/daemonset_util.go AllowsSurge */
export function allowsSurge(ds: DaemonSet): boolean {
  return ds.spec?.updateStrategy?.type === 'RollingUpdate' && scaled(ds.spec.updateStrategy.rollingUpdate?.maxSurge, 1) > 0;
}

function scaled(value: IntOrString | undefined, total: number): number {
  return getScaledValueFromIntOrPercent({ value: value ?? 0, total, roundUp: true }) ?? 0;
}
