import type { TraceEntry } from '../../sim/trace.ts';
import { entryAt, type RunView, type WriteEntry } from './run-view.ts';
import { requestBehind } from './who.ts';

export type RequestEntry = Extract<TraceEntry, { kind: 'request' }>;
type StageEntry = Extract<TraceEntry, { kind: 'stage' }>;

/** One request on its way through kube-apiserver, and what came of it. */
export interface RequestWalk {
  readonly request: RequestEntry;
  readonly stages: readonly StageEntry[];
  readonly writes: readonly WriteEntry[];
  readonly response: Extract<TraceEntry, { kind: 'response' }> | undefined;
  /** Who heard of the writes by a watch, in order. */
  readonly told: readonly { readonly actor: string; readonly type: string; readonly time: number; readonly seq: number }[];
}

/** How far behind a request its answer and the deliveries are looked for. */
const HORIZON = 4_000;

/** The request that an entry is part of; undefined for what nobody asked for. */
export function requestOf(run: RunView, entry: TraceEntry): RequestEntry | undefined {
  switch (entry.kind) {
    case 'request':
      return entry;
    case 'stage':
    case 'response':
      return asRequest(entryAt(run, entry.request));
    case 'write':
      return requestBehind(run, entry);
    case 'watch':
      return asRequest(requestBehind(run, entryAt(run, entry.cause) ?? entry));
    default:
      return undefined;
  }
}

function asRequest(entry: TraceEntry | undefined): RequestEntry | undefined {
  return entry?.kind === 'request' ? entry : undefined;
}

/** Follows a request to its answer, and its writes to those who watch. */
export function walkRequest(run: RunView, request: RequestEntry): RequestWalk {
  const stages: StageEntry[] = [];
  const writes: WriteEntry[] = [];
  const told: { actor: string; type: string; time: number; seq: number }[] = [];
  let response: RequestWalk['response'];
  for (let seq = request.seq + 1; seq < request.seq + HORIZON; seq++) {
    const entry = entryAt(run, seq);
    if (!entry) break;
    if (entry.kind === 'stage' && entry.request === request.seq) stages.push(entry);
    if (entry.kind === 'write' && entry.cause === request.seq) writes.push(entry);
    if (entry.kind === 'response' && entry.request === request.seq) response ??= entry;
    if (entry.kind === 'watch' && writes.some((write) => write.seq === entry.cause))
      told.push({ actor: entry.actor, type: entry.type, time: entry.time, seq });
  }
  return { request, stages, writes, response, told };
}
