import type { Finding } from './finding.ts';
import { isUpdate, type ObservedRequest, type ObservedRun, objectKey, objectName } from './observed-run.ts';

/** This many writes of one object, … */
const WRITES = 10;
/** … or looks at one object … */
const LOOKS = 50;
/** … within this time, and nothing that others did explains them. */
const WINDOW_MS = 60_000;

/** What is written again and again by design. */
const RENEWED = new Set(['leases', 'events']);

/** An operator that answers its own writes with the next one, or looks at an object without end. */
export function hotLoops(run: ObservedRun): Finding[] {
  return [...writeLoops(run), ...reconcileLoops(run)];
}

function writeLoops(run: ObservedRun): Finding[] {
  const foreign = writesOfOthers(run);
  const rows = new Map<string, ObservedRequest[]>();
  const found = new Map<string, Finding>();
  for (const request of run.requests) {
    if (!isUpdate(request) || RENEWED.has(request.resource)) continue;
    const key = `${request.operator} ${objectKey(request)}`;
    const row = rows.get(key) ?? [];
    rows.set(key, row);
    const last = row.at(-1);
    if (last && foreign(request, last.seq)) row.length = 0;
    row.push(request);
    const first = row.at(-WRITES);
    if (!first || request.time - first.time > WINDOW_MS || found.has(`${request.operator} ${request.resource}`)) continue;
    found.set(`${request.operator} ${request.resource}`, loopFinding(row.slice(-WRITES), request.time - first.time));
  }
  return [...found.values()];
}

function loopFinding(row: readonly ObservedRequest[], ms: number): Finding {
  const [request] = row as [ObservedRequest];
  return {
    rule: 'hot-loop',
    operator: request.operator,
    message: `wrote ${objectName(request)} ${row.length} times in ${ms} ms of virtual time, and nobody else wrote it in between`,
    evidence: row.map(({ seq }) => seq),
    remedy:
      'Write only when something differs (compare before writing), keep times and counters out of what is written, or leave out your own changes with a predicate such as generationChanged.',
  };
}

/** Whether somebody else has changed the object since an entry of the trace. */
function writesOfOthers({ entries }: ObservedRun): (request: ObservedRequest, since: number) => boolean {
  const writes = new Map<string, { readonly seq: number; readonly user: string }[]>();
  for (const entry of entries) {
    if (entry.kind !== 'write') continue;
    const { group, resource, namespace = '', name } = entry.object;
    const key = `${group}/${resource}/${namespace}/${name}`;
    const list = writes.get(key) ?? [];
    writes.set(key, list);
    list.push({ seq: entry.seq, user: entry.user });
  }
  return (request, since) =>
    (writes.get(objectKey(request)) ?? []).some(({ seq, user }) => seq > since && seq < request.seq && user !== request.user);
}

/** Looks that follow each other at once: a requeue without delay. Failed ones are spaced by the queue, and do not count. */
function reconcileLoops({ entries, requests }: ObservedRun): Finding[] {
  const operators = new Set(requests.map(({ operator }) => operator));
  const rows = new Map<string, { readonly seq: number; readonly time: number }[]>();
  const found = new Map<string, Finding>();
  for (const { kind, ...entry } of entries) {
    if (kind !== 'reconcile') continue;
    const { controller, key, what, seq, time, actor } = entry as typeof entry & { controller: string; key: string; what: string };
    const operator = actor.replace(/^controller\//, '');
    if (what !== 'start' || !operators.has(operator) || found.has(controller)) continue;
    const row = rows.get(`${controller} ${key}`) ?? [];
    rows.set(`${controller} ${key}`, row);
    row.push({ seq, time });
    const first = row.at(-LOOKS);
    if (!first || time - first.time > WINDOW_MS) continue;
    found.set(controller, {
      rule: 'hot-loop',
      operator,
      message: `${controller} looked at ${key} ${LOOKS} times in ${time - first.time} ms of virtual time`,
      evidence: [first.seq, seq],
      remedy: 'Answer requeueAfterMs with a time that somebody can wait for, and let watches tell of changes.',
    });
  }
  return [...found.values()];
}
