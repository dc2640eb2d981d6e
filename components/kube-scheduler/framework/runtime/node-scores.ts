import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { invariant } from '../../../../src/sim/invariant.ts';
import type { CycleState } from '../cycle-state.ts';
import { MAX_NODE_SCORE, type NodeScore, type Plugin } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';

/** What each plugin gave each node: framework.NodePluginScores, by plugin. Arrays run along the nodes. */
export interface NodePluginScores {
  readonly nodes: readonly NodeInfo[];
  readonly totals: readonly number[];
  readonly plugins: readonly {
    readonly name: string;
    readonly weight: number;
    readonly raw: readonly number[];
    readonly normalized: readonly number[];
  }[];
}

interface ScoreRun {
  readonly state: CycleState;
  readonly pod: Pod;
  readonly nodes: readonly NodeInfo[];
  readonly scorers: readonly { readonly plugin: Plugin & Required<Pick<Plugin, 'score'>>; readonly weight: number }[];
}

/** frameworkImpl.RunScorePlugins: raw scores, normalised, times their weight, added up. */
export function runNodeScorers({ state, pod, nodes, scorers }: ScoreRun): NodePluginScores {
  const totals = new Array<number>(nodes.length).fill(0);
  const plugins = scorers.map(({ plugin, weight }) => {
    const raw = new Array<number>(nodes.length);
    for (let i = 0; i < nodes.length; i++) raw[i] = plugin.score(state, pod, nodes[i] as NodeInfo);
    const normalized = plugin.normalizeScore ? normalize(plugin, { state, pod, nodes, raw }) : raw;
    for (let i = 0; i < nodes.length; i++) {
      const score = normalized[i] ?? 0;
      if (!(score >= 0 && score <= MAX_NODE_SCORE)) invariant(false, `plugin ${plugin.name} gives scores from 0 to 100, not ${score}`);
      totals[i] = (totals[i] ?? 0) + score * weight;
    }
    return { name: plugin.name, weight, raw, normalized };
  });
  return { nodes, totals, plugins };
}

function normalize(
  plugin: Plugin,
  run: { readonly state: CycleState; readonly pod: Pod; readonly nodes: readonly NodeInfo[]; readonly raw: readonly number[] },
): number[] {
  const scores: NodeScore[] = run.raw.map((score, i) => ({ name: run.nodes[i]?.name ?? '', score }));
  plugin.normalizeScore?.(run.state, run.pod, scores);
  return scores.map((one) => one.score);
}
