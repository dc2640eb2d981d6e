import type {
  ExecAction,
  GRPCAction,
  HTTPGetAction,
  Lifecycle,
  Probe,
  SleepAction,
  TCPSocketAction,
} from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isValidPortName, isValidPortNumber, regexError } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, required } from '../../../../src/api/validation/field.ts';
import { nonNegative, report, requiredOneOf } from '../validation.ts';

interface Handler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
  readonly sleep?: SleepAction;
}

const HEADER_ERROR = regexError("a valid HTTP header must consist of alphanumeric characters or '-'", '[-A-Za-z0-9]+', 'X-Header-Name');

/** kubernetes pkg/apis/core/validation validateHandler; `grace` is the pod's, for sleeps. */
function validateHandler(errors: FieldError[], handler: Handler, { path, grace }: { path: string; grace: number | undefined }): void {
  let handlers = 0;
  const checks: [keyof Handler, () => void][] = [
    ['exec', () => handler.exec?.command?.length || errors.push(required(`${path}.exec.command`))],
    ['httpGet', () => handler.httpGet && validateHttpGet(errors, `${path}.httpGet`, handler.httpGet)],
    ['tcpSocket', () => handler.tcpSocket && validatePort(errors, `${path}.tcpSocket.port`, handler.tcpSocket.port)],
    [
      'grpc',
      () => handler.grpc && report(errors, { path: `${path}.grpc.port`, value: handler.grpc.port }, isValidPortNumber(handler.grpc.port)),
    ],
    ['sleep', () => handler.sleep && validateSleep(errors, `${path}.sleep`, { seconds: handler.sleep.seconds, grace })],
  ];
  for (const [name, check] of checks) {
    if (handler[name] === undefined) continue;
    if (handlers > 0) errors.push(forbidden(`${path}.${name}`, 'may not specify more than 1 handler type'));
    else {
      handlers++;
      check();
    }
  }
  if (handlers === 0) errors.push(required(path, 'must specify a handler type'));
}

function validateSleep(errors: FieldError[], path: string, { seconds, grace }: { seconds: number; grace: number | undefined }): void {
  if (seconds < 0 || (grace !== undefined && seconds > grace))
    errors.push(invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`));
}

/** kubernetes pkg/apis/core/validation validateHTTPGetAction */
function validateHttpGet(errors: FieldError[], path: string, action: HTTPGetAction): void {
  if (!action.path) errors.push(required(`${path}.path`));
  validatePort(errors, `${path}.port`, action.port);
  requiredOneOf(errors, { path: `${path}.scheme`, value: action.scheme }, ['HTTP', 'HTTPS']);
  for (const { name } of action.httpHeaders ?? [])
    if (!/^[-A-Za-z0-9]+$/.test(name ?? '')) errors.push(invalid(`${path}.httpHeaders`, name ?? '', HEADER_ERROR));
}

/** kubernetes pkg/apis/core/validation ValidatePortNumOrName */
export function validatePort(errors: FieldError[], path: string, port: number | string): void {
  report(errors, { path, value: port }, typeof port === 'number' ? isValidPortNumber(port) : isValidPortName(port));
}

/** kubernetes pkg/apis/core/validation validateProbe */
function validateProbe(errors: FieldError[], probe: Probe, { path, grace }: { path: string; grace: number | undefined }): void {
  validateHandler(errors, probe, { path, grace });
  nonNegative(errors, `${path}.initialDelaySeconds`, probe.initialDelaySeconds);
  nonNegative(errors, `${path}.timeoutSeconds`, probe.timeoutSeconds);
  nonNegative(errors, `${path}.periodSeconds`, probe.periodSeconds);
  nonNegative(errors, `${path}.successThreshold`, probe.successThreshold);
  nonNegative(errors, `${path}.failureThreshold`, probe.failureThreshold);
  const own = probe.terminationGracePeriodSeconds;
  if (own !== undefined && own <= 0) errors.push(invalid(`${path}.terminationGracePeriodSeconds`, own, 'must be greater than 0'));
}

export interface Probed {
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
}

/** Probes and hooks of a container: validateLivenessProbe, validateReadinessProbe, validateStartupProbe, validateLifecycle. */
export function validateProbes(
  errors: FieldError[],
  container: Probed,
  { path, grace }: { path: string; grace: number | undefined },
): void {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  if (lifecycle?.postStart) validateHandler(errors, lifecycle.postStart, { path: `${path}.lifecycle.postStart`, grace });
  if (lifecycle?.preStop) validateHandler(errors, lifecycle.preStop, { path: `${path}.lifecycle.preStop`, grace });
  if (livenessProbe) {
    validateProbe(errors, livenessProbe, { path: `${path}.livenessProbe`, grace });
    mustBeOne(errors, `${path}.livenessProbe.successThreshold`, livenessProbe.successThreshold);
  }
  if (readinessProbe) {
    validateProbe(errors, readinessProbe, { path: `${path}.readinessProbe`, grace });
    const own = readinessProbe.terminationGracePeriodSeconds;
    if (own !== undefined)
      errors.push(invalid(`${path}.readinessProbe.terminationGracePeriodSeconds`, own, 'must not be set for readinessProbes'));
  }
  if (startupProbe) {
    validateProbe(errors, startupProbe, { path: `${path}.startupProbe`, grace });
    mustBeOne(errors, `${path}.startupProbe.successThreshold`, startupProbe.successThreshold);
  }
}

function mustBeOne(errors: FieldError[], path: string, threshold: number | undefined): void {
  if ((threshold ?? 0) !== 1) errors.push(invalid(path, threshold ?? 0, 'must be 1'));
}
