import type { Pod } from '../../src/api/kinds/core-v1.ts';
import type { HttpExtender } from './extender.ts';
import { ExtenderError } from './extender-error.ts';
import { FitError } from './framework/fit-error.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { NodePluginScores } from './framework/runtime/node-scores.ts';
import { asStatus, Status } from './framework/status.ts';
import {
  type Algorithm,
  diagnosisOf,
  findNodesThatFitPod,
  newSearch,
  noNodes,
  prioritizeNodes,
  refusedNodes,
  type ScheduleResult,
  type SchedulingCycle,
  type Search,
  selectHost,
} from './schedule-pod.ts';

/** pkg/scheduler Extender: the plugin that events and messages name for all extenders. */
export const EXTENDER_NAME = 'Extender';

/** schedulePod where processes outside have a say: they are asked after the filters and after the scores. */
export async function schedulePodWithExtenders(
  algorithm: Algorithm,
  cycle: SchedulingCycle,
  extenders: readonly HttpExtender[],
): Promise<ScheduleResult | FitError | Status> {
  const { snapshot } = algorithm;
  if (snapshot.list.length === 0) return noNodes();
  const search = newSearch();
  const passed = findNodesThatFitPod(algorithm, { ...cycle, search, all: true });
  if (passed instanceof Status) return passed;
  const feasible = await findNodesThatPassExtenders(extenders, { pod: cycle.pod, nodes: passed, search });
  if (feasible instanceof Status) return feasible;
  if (feasible.length === 0) return new FitError(snapshot.list.length, diagnosisOf(search));
  const found = {
    evaluatedNodes: feasible.length + search.refused.size,
    feasibleNodes: feasible.length,
    refused: refusedNodes(search, cycle),
  };
  const only = feasible[0];
  if (only && feasible.length === 1) return { ...found, suggestedHost: only.name, equals: [only.name] };
  const given = prioritizeNodes(cycle, feasible);
  if (given instanceof Status) return given;
  const scores = await addExtenderScores(extenders, cycle.pod, given);
  return { ...found, ...selectHost(scores, algorithm.random), scores };
}

/** schedule_one.go findNodesThatPassExtenders */
async function findNodesThatPassExtenders(
  extenders: readonly HttpExtender[],
  { pod, nodes, search }: { readonly pod: Pod; readonly nodes: readonly NodeInfo[]; readonly search: Search },
): Promise<readonly NodeInfo[] | Status> {
  let feasible = nodes;
  for (const extender of extenders) {
    if (feasible.length === 0) break;
    if (!extender.isFilter || !extender.isInterested(pod)) continue;
    try {
      const result = await extender.filter(pod, feasible);
      for (const [name, message] of result.failed) {
        const code = result.unresolvable.has(name) ? 'UnschedulableAndUnresolvable' : 'Unschedulable';
        search.refused.set(name, new Status(code, [message], EXTENDER_NAME));
      }
      if (result.feasible.length < feasible.length) search.unschedulablePlugins.add(EXTENDER_NAME);
      feasible = result.feasible;
    } catch (error) {
      if (!(error instanceof ExtenderError)) throw error;
      if (!extender.isIgnorable) return asStatus(error);
    }
  }
  return feasible;
}

/** The part of schedule_one.go prioritizeNodes that asks extenders; what goes wrong there counts nothing. */
async function addExtenderScores(extenders: readonly HttpExtender[], pod: Pod, scores: NodePluginScores): Promise<NodePluginScores> {
  const totals = scores.totals.slice();
  const plugins = scores.plugins.slice();
  for (const extender of extenders) {
    if (!extender.isPrioritizer || !extender.isInterested(pod)) continue;
    try {
      const given = await extender.prioritize(pod, scores.nodes);
      const raw = scores.nodes.map(({ name }) => given.get(name) ?? 0);
      raw.forEach((score, i) => {
        totals[i] = (totals[i] ?? 0) + score;
      });
      plugins.push({ name: EXTENDER_NAME, weight: 1, raw, normalized: raw });
    } catch (error) {
      if (!(error instanceof ExtenderError)) throw error;
    }
  }
  return { nodes: scores.nodes, totals, plugins };
}

/** schedule_one.go extendersBinding: says whether one of them has bound the pod, or how that failed. */
export async function extendersBinding(extenders: readonly HttpExtender[], pod: Pod, nodeName: string): Promise<boolean | Status> {
  for (const extender of extenders) {
    if (!extender.isBinder || !extender.isInterested(pod)) continue;
    try {
      await extender.bind(pod, nodeName);
      return true;
    } catch (error) {
      if (!(error instanceof ExtenderError)) throw error;
      if (!extender.isIgnorable) return asStatus(error);
    }
  }
  return false;
}
