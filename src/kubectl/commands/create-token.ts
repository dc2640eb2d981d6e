import { serviceaccounts } from '../../api/resources.ts';
import { ApiStatusError } from '../../api/status-error.ts';
import { parseDuration } from '../../api/time.ts';
import { type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { printValue } from '../output.ts';

/** kubectl create token SERVICEACCOUNT: asks for a token by TokenRequest, and prints it. @throws KubectlError */
export async function createToken(context: CommandContext, words: readonly string[]): Promise<void> {
  const [name, ...more] = words;
  if (!name || more.length)
    throw new KubectlError(`error: exactly one NAME is required, got ${words.length}\nSee 'kubectl create token -h' for help and examples`);
  const { flags, client } = context;
  const duration = flags.string('duration');
  const ms = duration === undefined ? undefined : parseDuration(duration);
  if (duration !== undefined && ms === undefined)
    throw new KubectlError(
      `error: invalid argument "${duration}" for "--duration" flag: time: invalid duration "${duration}"\nSee 'kubectl create token --help' for usage.`,
    );
  const audiences = flags.list('audience');
  const spec = { ...(audiences.length ? { audiences } : {}), ...(ms ? { expirationSeconds: Math.floor(ms / 1_000) } : {}) };
  try {
    const request = (await client.resource(serviceaccounts).createSubresource(placeOf(context, serviceaccounts, name), 'token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec,
    })) as { status?: { token?: string } };
    const output = flags.string('output');
    if (output) return printValue(context, output, { value: request });
    context.out(request.status?.token ?? '');
  } catch (error) {
    if (error instanceof ApiStatusError) throw new KubectlError(`error: failed to create token: ${error.message}`);
    throw error;
  }
}
