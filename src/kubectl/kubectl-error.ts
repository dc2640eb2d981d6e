import { ApiStatusError } from '../api/status-error.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';

/** A command could not be carried out; the message is what kubectl prints on stderr. */
export class KubectlError extends Error {
  override name = 'KubectlError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What kubectl prints for an error: cmdutil CheckErr. `source` names the file that the object came from. */
export function errorText(error: unknown, source?: string): string {
  if (error instanceof KubectlError) return error.message;
  if (error instanceof ActorUnavailable)
    return `The connection to the server ${error.actor} was ${error.how} - did you specify the right host or port?`;
  if (!(error instanceof ApiStatusError)) throw error;
  const { reason, message = '', details } = error.status;
  if (reason === 'Invalid' && details) {
    const causes = [...new Set((details.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`))];
    const subject = details.kind || details.name ? `The ${details.kind} "${details.name ?? ''}"` : 'The request';
    const head = `${subject} is invalid: `;
    if (!causes.length) return head + message;
    return causes.length === 1 ? head + causes[0] : `${head}\n${causes.map((cause) => `* ${cause}`).join('\n')}`;
  }
  if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`;
  const text = source ? `${source}: ${message}` : message;
  return reason ? `Error from server (${reason}): ${text}` : `Error from server: ${text}`;
}
