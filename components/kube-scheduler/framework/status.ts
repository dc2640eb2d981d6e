/** pkg/scheduler/framework Code (staging/src/k8s.io/kube-scheduler/framework/interface.go). Success is the absence of a status. */
export type Code = 'Error' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Wait' | 'Skip' | 'Pending';

/**
 * What a plugin says when all is not well: kube-scheduler framework.Status. Immutable, so that one instance serves all nodes and pods.
 * @example const REFUSED = new Status('Unschedulable', ['node(s) were full'], 'MyPlugin');
 */
export class Status {
  readonly code: Code;
  readonly reasons: readonly string[];
  /** The plugin that speaks; '' for the framework itself. */
  readonly plugin: string;

  constructor(code: Code, reasons: readonly string[] = [], plugin = '') {
    this.code = code;
    this.reasons = reasons;
    this.plugin = plugin;
  }

  /** All reasons in one line. */
  get message(): string {
    return this.reasons.join(', ');
  }

  /** The pod cannot be scheduled now, as opposed to: something went wrong. */
  get isRejected(): boolean {
    return this.code === 'Unschedulable' || this.code === 'UnschedulableAndUnresolvable' || this.code === 'Pending';
  }

  /** The same, said by `plugin`. */
  withPlugin(plugin: string): Status {
    return this.plugin === plugin ? this : new Status(this.code, this.reasons, plugin);
  }
}

/** framework.AsStatus: an error as a status. */
export function asStatus(error: unknown, plugin = ''): Status {
  return new Status('Error', [messageOf(error)], plugin);
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
