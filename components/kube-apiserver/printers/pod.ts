import { humanDuration } from '../../../src/api/human-duration.ts';
import type { ContainerStatus, Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseTime } from '../../../src/api/time.ts';
import { age, type Cell, NONE, nameOf } from './cell.ts';

interface Restarts {
  restarts: number;
  lastRestart: number | undefined;
}

/** What is counted and found while going through the containers of a pod. */
interface Tally extends Restarts {
  reason: string;
  ready: number;
  readonly ofSidecars: Restarts;
}

const noRestarts = (): Restarts => ({ restarts: 0, lastRestart: undefined });

/** pkg/printers/internalversion.printPod */
export function printPod(pod: Pod, now: number): Cell[] {
  const { spec, status } = pod;
  const sidecars = new Set((spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name));
  const total = (spec?.containers.length ?? 0) + sidecars.size;
  const tally: Tally = { reason: status?.reason || status?.phase || '', ready: 0, ...noRestarts(), ofSidecars: noRestarts() };
  if (status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated'))
    tally.reason = 'SchedulingGated';
  const initializing = countInit(pod, sidecars, tally);
  if (!initializing || hasCondition(pod, 'Initialized')) countContainers(pod, tally);
  const gates = spec?.readinessGates ?? [];
  const met = gates.filter(({ conditionType }) => hasCondition(pod, conditionType)).length;
  return [
    nameOf(pod),
    `${tally.ready}/${total}`,
    withDeletion(pod, tally.reason),
    restartsText(tally, now),
    age(pod, now),
    status?.podIPs?.[0]?.ip || NONE,
    spec?.nodeName || NONE,
    status?.nominatedNodeName || NONE,
    gates.length > 0 ? `${met}/${gates.length}` : NONE,
  ];
}

function hasCondition({ status }: Pod, wanted: string): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === wanted && value === 'True') ?? false;
}

function withDeletion({ metadata, status }: Pod, reason: string): string {
  if (!metadata.deletionTimestamp) return reason;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? reason : 'Terminating';
}

function restartsText({ restarts, lastRestart }: Restarts, now: number): string {
  return restarts > 0 && lastRestart !== undefined ? `${restarts} (${humanDuration(now - lastRestart)} ago)` : String(restarts);
}

function noteRestarts(tally: Restarts, { restartCount, lastState }: ContainerStatus): void {
  tally.restarts += restartCount;
  const finished = parseTime(lastState?.terminated?.finishedAt);
  if (finished !== undefined && (tally.lastRestart === undefined || finished > tally.lastRestart)) tally.lastRestart = finished;
}

/** Goes through the init containers up to the first that is not done; true when there is one. */
function countInit({ spec, status }: Pod, sidecars: ReadonlySet<string>, tally: Tally): boolean {
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    noteRestarts(tally, container);
    if (sidecars.has(container.name)) noteRestarts(tally.ofSidecars, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) tally.ready++;
      continue;
    }
    if (terminated) tally.reason = `Init:${terminated.reason || exitText(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') tally.reason = `Init:${waiting.reason}`;
    else tally.reason = `Init:${index}/${spec?.initContainers?.length ?? 0}`;
    return true;
  }
  return false;
}

function exitText({ signal, exitCode }: { readonly signal?: number; readonly exitCode: number }): string {
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

/** From the last container to the first, so that the first one's reason stays. */
function countContainers(pod: Pod, tally: Tally): void {
  const { status } = pod;
  Object.assign(tally, tally.ofSidecars);
  let running = false;
  for (const container of [...(status?.containerStatuses ?? [])].reverse()) {
    noteRestarts(tally, container);
    const { waiting, terminated, running: runs } = container.state ?? {};
    if (waiting?.reason) tally.reason = waiting.reason;
    else if (terminated) tally.reason = terminated.reason || exitText(terminated);
    else if (container.ready && runs) {
      running = true;
      tally.ready++;
    }
  }
  if (tally.reason === 'Completed' && running) tally.reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
}

/** The condition of a pod's row: kubectl hides finished pods by it in some places. */
export function podRowConditions({ status }: Pod): object[] | undefined {
  if (status?.phase === 'Succeeded')
    return [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }];
  if (status?.phase === 'Failed') return [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }];
  return undefined;
}
