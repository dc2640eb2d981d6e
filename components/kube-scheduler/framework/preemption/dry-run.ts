import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { PodDisruptionBudget } from '../../../../src/api/kinds/policy-v1.ts';
import { labelSelectorAsSelector } from '../../../../src/api/label-selector.ts';
import type { CycleState } from '../cycle-state.ts';
import type { PluginRunner } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { Status } from '../status.ts';
import { type Candidate, compareImportance } from './candidate.ts';

const NO_VICTIMS = new Status('UnschedulableAndUnresolvable', ['No preemption victims found for incoming pod']);

export interface DryRun {
  readonly framework: PluginRunner;
  readonly pod: Pod;
  readonly pdbs: readonly PodDisruptionBudget[];
  readonly now: number;
}

/**
 * plugins/defaultpreemption SelectVictimsOnNode: takes all less important pods away, and gives back as many as can stay, the guarded and the most important
 * first. `state` and `nodeInfo` are copies that it may change.
 */
export function selectVictimsOnNode({ framework, pod, pdbs, now }: DryRun, state: CycleState, nodeInfo: NodeInfo): Candidate | Status {
  const priority = pod.spec?.priority ?? 0;
  const potential = nodeInfo.pods.filter((one) => (one.pod.spec?.priority ?? 0) < priority);
  if (potential.length === 0) return NO_VICTIMS;
  const remove = (victim: PodInfo): void => {
    nodeInfo.removePod(victim.pod);
    framework.runPreFilterExtensionRemovePod(state, pod, { pod: victim, nodeInfo });
  };
  for (const victim of potential) remove(victim);
  const status = framework.runFilterPluginsWithNominatedPods(state, pod, nodeInfo);
  if (status) return status;
  const byImportance = compareImportance(now);
  potential.sort((a, b) => byImportance(a.pod, b.pod));
  const { violating, nonViolating } = filterPodsWithPDBViolation(potential, pdbs);
  const victims: Pod[] = [];
  const reprieve = (victim: PodInfo): boolean => {
    nodeInfo.addPodInfo(victim);
    framework.runPreFilterExtensionAddPod(state, pod, { pod: victim, nodeInfo });
    if (!framework.runFilterPluginsWithNominatedPods(state, pod, nodeInfo)) return true;
    remove(victim);
    victims.push(victim.pod);
    return false;
  };
  let numPDBViolations = 0;
  for (const victim of violating) if (!reprieve(victim)) numPDBViolations++;
  for (const victim of nonViolating) reprieve(victim);
  victims.sort(byImportance);
  return { nodeName: nodeInfo.name, victims, numPDBViolations };
}

/** plugins/defaultpreemption filterPodsWithPDBViolation: each pod uses up the budgets that guard it. */
function filterPodsWithPDBViolation(
  pods: readonly PodInfo[],
  pdbs: readonly PodDisruptionBudget[],
): { violating: PodInfo[]; nonViolating: PodInfo[] } {
  const budgets = pdbs.map((pdb) => ({
    pdb,
    selector: labelSelectorAsSelector(pdb.spec?.selector),
    allowed: pdb.status?.disruptionsAllowed ?? 0,
  }));
  const violating: PodInfo[] = [];
  const nonViolating: PodInfo[] = [];
  for (const info of pods) {
    const { namespace, name = '', labels } = info.pod.metadata;
    let violates = false;
    for (const budget of labels && Object.keys(labels).length ? budgets : []) {
      if (budget.pdb.metadata.namespace !== namespace || budget.selector.empty || !budget.selector.matches(labels)) continue;
      if (budget.pdb.status?.disruptedPods?.[name] !== undefined) continue;
      budget.allowed--;
      if (budget.allowed < 0) violates = true;
    }
    (violates ? violating : nonViolating).push(info);
  }
  return { violating, nonViolating };
}
