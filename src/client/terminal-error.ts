/** Thrown by a reconcile for what trying again cannot mend: the key waits for the next change. controller-runtime pkg/reconcile TerminalError. */
export class TerminalError extends Error {
  override name = 'TerminalError';
}
