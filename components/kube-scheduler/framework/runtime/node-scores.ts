import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { invariant } from '../../../../src/sim/invariant.ts';
import type { CycleState } from '../cycle-state.ts';
import { MAX_NODE_SCORE, type NodeScore, type Plugin } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import { NodeMemos } from '../node-memo.ts';

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

type Scoring = Plugin & Required<Pick<Plugin, 'score'>>;

interface ScoreRun {
  readonly state: CycleState;
  readonly pod: Pod;
  readonly nodes: readonly NodeInfo[];
}

/** A plugin of the extension point Score, with what it found out about nodes that have not changed since. */
export class NodeScorer {
  readonly plugin: Scoring;
  readonly weight: number;
  readonly #memos = new NodeMemos();

  constructor(plugin: Scoring, weight: number) {
    this.plugin = plugin;
    this.weight = weight;
  }

  score({ state, pod, nodes }: ScoreRun): number[] {
    const { plugin } = this;
    const scores = new Array<number>(nodes.length);
    const key = plugin.scoreKey?.(pod);
    if (key === undefined) {
      for (let i = 0; i < nodes.length; i++) scores[i] = plugin.score(state, pod, nodes[i] as NodeInfo);
      return scores;
    }
    const memo = this.#memos.get(key);
    const compute = (node: NodeInfo): number => plugin.score(state, pod, node);
    for (let i = 0; i < nodes.length; i++) scores[i] = memo.of(nodes[i] as NodeInfo, compute);
    return scores;
  }
}

/** frameworkImpl.RunScorePlugins: raw scores, normalised, times their weight, added up. */
export function runNodeScorers(scorers: readonly NodeScorer[], run: ScoreRun): NodePluginScores {
  const { nodes } = run;
  const totals = new Array<number>(nodes.length).fill(0);
  const plugins = scorers.map((scorer) => {
    const { plugin, weight } = scorer;
    const raw = scorer.score(run);
    const normalized = plugin.normalizeScore ? normalize(plugin, run, raw) : raw;
    for (let i = 0; i < nodes.length; i++) {
      const score = normalized[i] as number;
      if (!(score >= 0 && score <= MAX_NODE_SCORE)) invariant(false, `plugin ${plugin.name} gives scores from 0 to 100, not ${score}`);
      totals[i] = (totals[i] as number) + score * weight;
    }
    return { name: plugin.name, weight, raw, normalized };
  });
  return { nodes, totals, plugins };
}

/** Lent to one plugin after the other, so that a cycle does not make hundreds anew. */
const lent: { name: string; score: number }[] = [];

function normalize(plugin: Scoring, { state, pod, nodes }: ScoreRun, raw: readonly number[]): number[] {
  while (lent.length < nodes.length) lent.push({ name: '', score: 0 });
  const scores: NodeScore[] = lent.length === nodes.length ? lent : lent.slice(0, nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const one = lent[i] as (typeof lent)[number];
    one.name = (nodes[i] as NodeInfo).name;
    one.score = raw[i] as number;
  }
  plugin.normalizeScore?.(state, pod, scores);
  const normalized = new Array<number>(nodes.length);
  for (let i = 0; i < nodes.length; i++) normalized[i] = (scores[i] as NodeScore).score;
  return normalized;
}
