import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { HttpExtender } from '../../extender.ts';
import { ExtenderError } from '../../extender-error.ts';
import { asStatus, type Status } from '../status.ts';
import type { Candidate } from './candidate.ts';

/** framework/preemption Evaluator.callExtenders: each may drop nodes and change victims. */
export async function callExtenders(
  extenders: readonly HttpExtender[],
  pod: Pod,
  found: readonly Candidate[],
): Promise<readonly Candidate[] | Status> {
  let candidates = found;
  for (const extender of extenders) {
    if (candidates.length === 0) break;
    if (!extender.supportsPreemption || !extender.isInterested(pod)) continue;
    try {
      candidates = await extender.processPreemption(pod, candidates);
    } catch (error) {
      if (!(error instanceof ExtenderError)) throw error;
      if (!extender.isIgnorable) return asStatus(error);
    }
  }
  return candidates;
}
