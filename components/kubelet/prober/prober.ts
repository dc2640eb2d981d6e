import { type ContainerRuntimeInterface, RuntimeError } from '../../../src/api/cri.ts';
import type { Container, HTTPGetAction, Probe } from '../../../src/api/kinds/core-v1.ts';
import { formatDuration } from '../../../src/api/time.ts';
import { PROBE_OUTPUT_MAX } from '../constants.ts';
import { httpHeaders, httpUrl, resolvePort } from './http-target.ts';

export type ProbeOutcome =
  | { readonly result: 'success' }
  | { readonly result: 'failure'; readonly output: string }
  /** The probe itself could not be made. */
  | { readonly result: 'error'; readonly message: string };

interface ProbeTarget {
  readonly probe: Probe;
  readonly container: Container;
  readonly containerId: string;
  readonly podIp: string;
}

const SUCCESS: ProbeOutcome = { result: 'success' };
const failure = (output: string): ProbeOutcome => ({ result: 'failure', output });

/** pkg/kubelet/prober runProbe: one try of one probe. */
export async function runProbe(runtime: ContainerRuntimeInterface, target: ProbeTarget): Promise<ProbeOutcome> {
  const { probe } = target;
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  if (probe.exec) return execProbe(runtime, target, timeoutMs);
  if (probe.httpGet) return httpProbe(runtime, { ...target, action: probe.httpGet }, timeoutMs);
  if (probe.tcpSocket) return tcpProbe(runtime, target, timeoutMs);
  if (probe.grpc) return grpcProbe(runtime, target, timeoutMs);
  return { result: 'error', message: `missing probe handler for ${target.container.name}` };
}

/** pkg/probe/exec */
async function execProbe(
  runtime: ContainerRuntimeInterface,
  { probe, containerId }: ProbeTarget,
  timeoutMs: number,
): Promise<ProbeOutcome> {
  const command = probe.exec?.command ?? [];
  try {
    const { stdout, stderr, exitCode } = await runtime.execSync(containerId, command, timeoutMs);
    return exitCode === 0 ? SUCCESS : failure((stdout + stderr).slice(0, PROBE_OUTPUT_MAX));
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    if (error.reason === 'DeadlineExceeded')
      return failure(`command timed out: ${JSON.stringify(command.join(' '))} timed out after ${formatDuration(timeoutMs)}`);
    return { result: 'error', message: `rpc error: code = Unknown desc = ${error.message}` };
  }
}

/** pkg/probe/http */
async function httpProbe(
  runtime: ContainerRuntimeInterface,
  target: ProbeTarget & { action: HTTPGetAction },
  timeoutMs: number,
): Promise<ProbeOutcome> {
  const { action, container, podIp } = target;
  const port = resolvePort(action.port, container);
  if (typeof port === 'object') return { result: 'error', message: port.error };
  const host = action.host || podIp;
  const path = action.path ?? '/';
  const headers = httpHeaders('kube-probe/1.34', action);
  const answer = await runtime.network.http({ method: 'GET', path, host, port, headers }, timeoutMs);
  const url = httpUrl(action.scheme, { host, port, path });
  if (answer === 'refused') return failure(`Get "${url}": dial tcp ${host}:${port}: connect: connection refused`);
  if (answer === 'timeout') return failure(`Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`);
  return answer.status >= 200 && answer.status < 400 ? SUCCESS : failure(`HTTP probe failed with statuscode: ${answer.status}`);
}

/** pkg/probe/tcp */
async function tcpProbe(
  runtime: ContainerRuntimeInterface,
  { probe, container, podIp }: ProbeTarget,
  timeoutMs: number,
): Promise<ProbeOutcome> {
  const port = resolvePort(probe.tcpSocket?.port, container);
  if (typeof port === 'object') return { result: 'error', message: port.error };
  const host = probe.tcpSocket?.host || podIp;
  const answer = await runtime.network.connect({ host, port }, timeoutMs);
  if (answer === 'connected') return SUCCESS;
  return failure(answer === 'refused' ? `dial tcp ${host}:${port}: connect: connection refused` : `dial tcp ${host}:${port}: i/o timeout`);
}

/** pkg/probe/grpc */
async function grpcProbe(runtime: ContainerRuntimeInterface, { probe, podIp }: ProbeTarget, timeoutMs: number): Promise<ProbeOutcome> {
  const { port = 0, service = '' } = probe.grpc ?? {};
  const at = `${podIp}:${port}`;
  const answer = await runtime.network.grpcHealth({ host: podIp, port, service }, timeoutMs);
  if (answer === 'SERVING') return SUCCESS;
  if (answer === 'refused' || answer === 'timeout')
    return failure(`timeout: failed to connect service "${at}" within ${formatDuration(timeoutMs)}: context deadline exceeded`);
  if (answer === 'UNIMPLEMENTED')
    return failure(
      `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service grpc.health.v1.Health`,
    );
  if (answer === 'SERVICE_UNKNOWN') return failure(`error: health rpc probe failed: rpc error: code = NotFound desc = unknown service`);
  return failure(`service unhealthy (responded with "${answer}")`);
}
