/** The command line is wrong; the message says how, and what to do. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
