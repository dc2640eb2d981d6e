import type { Cluster } from '../../cluster/cluster.ts';
import { objectsAt } from '../../cluster/history.ts';
import type { TraceEntry } from '../../sim/trace.ts';
import { ignoredConflicts } from './conflict-ignored.ts';
import type { Finding } from './finding.ts';
import { hotLoops } from './hot-loop.ts';
import { type AuditedWrite, type ObservedRun, requestsOfOperators } from './observed-run.ts';
import { secretsClusterWide } from './secrets-cluster-wide.ts';
import { missingObservedGeneration, statusThroughMainResource } from './status-rules.ts';

const RULES: readonly ((run: ObservedRun) => Finding[])[] = [
  hotLoops,
  missingObservedGeneration,
  statusThroughMainResource,
  ignoredConflicts,
  secretsClusterWide,
];

/**
 * Watches what operators do in a run, and tells what operators should not do. Who is neither part of the cluster nor a tool of people is taken for an operator.
 * @example const lint = new OperatorLint(); const cluster = await createTestCluster({ userControllers: [mine], audit: lint.audit }); … expect(lint.findings(cluster)).toEqual([]);
 */
export class OperatorLint {
  readonly #writes = new Map<number, AuditedWrite>();

  /** For the `audit` of a cluster: bodies of requests are in no trace. */
  readonly audit = (event: unknown, request: number): void => {
    this.#writes.set(request, event as AuditedWrite);
  };

  /** Needs the whole trace. */
  findings(cluster: Cluster): Finding[] {
    const { entries } = cluster.simulation.trace;
    const agents = agentsOf(cluster);
    const run = { entries, requests: requestsOfOperators(entries, this.#writes, agents), objects: objectsAt(cluster) };
    return RULES.flatMap((rule) => rule(run));
  }
}

/** What the sender of a request calls itself: a process in the bottle by its actor, one outside by the header of its request. */
function agentsOf({ simulation }: Cluster): (entry: TraceEntry) => string {
  const inputs = simulation.trace.entries.filter(({ kind }) => kind === 'input');
  const numberOf = new Map(inputs.map(({ seq }, index) => [seq, index]));
  return (entry) => {
    const [came] = simulation.trace.why(entry.seq).filter(({ kind }) => kind === 'input');
    const { input, payload } = simulation.inputs[numberOf.get(came?.seq ?? 0) ?? -1] ?? {};
    if (input !== 'http' || entry.actor.startsWith('controller/')) return entry.actor;
    const { headers = {} } = payload as { headers?: Record<string, string> };
    return entry.actor === 'kube-apiserver' ? (headers['user-agent'] ?? '') : entry.actor;
  };
}
