import { MAX_NODE_SCORE, type NodeScore } from '../../framework/interface.ts';

/** plugins/helper DefaultNormalizeScore: the highest becomes 100; `reverse`: the highest becomes 0. */
export function defaultNormalizeScore(scores: readonly NodeScore[], reverse: boolean): void {
  let max = 0;
  for (const { score } of scores) if (score > max) max = score;
  for (const one of scores) {
    const scaled = max === 0 ? 0 : Math.trunc((MAX_NODE_SCORE * one.score) / max);
    one.score = reverse ? MAX_NODE_SCORE - scaled : scaled;
  }
}
