import type { CertificateSigningRequest } from '../../api/kinds/certificates-v1.ts';
import { certificatesigningrequests } from '../../api/resources.ts';
import { isConflict } from '../../api/status-error.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { printValue } from '../output.ts';
import { kindName } from '../rest-mapper.ts';

interface Decision {
  readonly type: 'Approved' | 'Denied';
  /** What it cannot stand beside. */
  readonly other: 'Approved' | 'Denied';
  readonly reason: string;
  readonly message: string;
  readonly word: string;
}

const APPROVE: Decision = {
  type: 'Approved',
  other: 'Denied',
  reason: 'KubectlApprove',
  message: 'This CSR was approved by kubectl certificate approve.',
  word: 'approved',
};
const DENY: Decision = {
  type: 'Denied',
  other: 'Approved',
  reason: 'KubectlDeny',
  message: 'This CSR was denied by kubectl certificate deny.',
  word: 'denied',
};
const MAX_TRIES = 10;

/** kubectl certificate approve NAME, certificate deny NAME: reads each request, and writes the condition through its approval. */
export const certificate: Command = {
  flags: { ...FILE_FLAGS, force: { type: 'boolean' }, output: { type: 'string', short: 'o' } },
  async run(context) {
    const [what, ...names] = context.args;
    if (what !== 'approve' && what !== 'deny') throw new KubectlError(`error: unknown command "${what ?? ''}" for "kubectl certificate"`);
    const files = context.flags.list('filename').length > 0 ? await fileObjects(context) : [];
    const requests = [...names, ...files.map(({ object }) => object.metadata.name ?? '')];
    if (requests.length === 0) throw new KubectlError('error: one or more CSRs must be specified as <name> or -f <filename>');
    for (const name of requests) await decide(context, name, what === 'approve' ? APPROVE : DENY);
  },
};

async function decide(context: CommandContext, name: string, decision: Decision): Promise<void> {
  const client = context.client.resource(certificatesigningrequests);
  let request = await client.get({ name });
  for (let tries = 0; ; tries++) {
    const decided = withCondition(request, decision);
    if (decided === request && !context.flags.boolean('force')) break;
    try {
      await client.update(decided, { subresource: 'approval' });
      break;
    } catch (error) {
      if (!isConflict(error) || tries >= MAX_TRIES) throw error;
      request = await client.get({ name });
    }
  }
  const kind = kindName(certificatesigningrequests);
  const output = context.flags.string('output');
  if (output) return printValue(context, output, { value: request, name: `${kind}/${name}` });
  context.out(`${kind}/${name} ${decision.word}`);
}

/** The request itself when it was decided that way before. @throws KubectlError when it was decided the other way */
function withCondition(request: CertificateSigningRequest, { type, other, reason, message }: Decision): CertificateSigningRequest {
  const conditions = request.status?.conditions ?? [];
  if (conditions.some((condition) => condition.type === other))
    throw new KubectlError(`error: certificate signing request "${request.metadata.name}" is already ${other}`);
  if (conditions.some((condition) => condition.type === type)) return request;
  return { ...request, status: { ...request.status, conditions: [...conditions, { type, status: 'True', reason, message }] } };
}
