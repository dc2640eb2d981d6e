import type { Outbound } from '../../src/api/outbound.ts';
import { AwsClient, type AwsCredentials, AwsError, REQUEST_ERROR } from '../../src/client/aws-client.ts';

/** What the program has of its container. */
export interface AwsCliContext {
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly readFile: (path: string) => string | undefined;
  readonly send: Outbound;
  /** Milliseconds since 1970. */
  readonly wallTime: number;
}

export interface AwsCliResult {
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Exit codes of the AWS CLI, version 2. */
const NO_ANSWER = 255;
const SERVICE_ERROR = 254;
const CONFIGURATION_ERROR = 253;
const USAGE_ERROR = 252;
const GENERAL_ERROR = 1;
const DEFAULT_REGION = 'us-east-1';

type Command = (client: AwsClient, words: readonly string[]) => Promise<AwsCliResult>;

const COMMANDS: Readonly<Record<string, Command>> = {
  'sts get-caller-identity': async (client) => {
    const identity = await client.query('sts', 'GetCallerIdentity');
    const lines = { UserId: identity.text('UserId'), Account: identity.text('Account'), Arn: identity.text('Arn') };
    return { code: 0, stdout: `${JSON.stringify(lines, null, 4)}\n` };
  },
  's3 ls': async (client) => {
    const list = await client.s3('ListBuckets', { method: 'GET' });
    const lines = (list?.items('Buckets') ?? []).map((bucket) => {
      const created = (bucket.text('CreationDate') ?? '').replace('T', ' ').slice(0, 19);
      return `${created} ${bucket.text('Name')}\n`;
    });
    return { code: 0, stdout: lines.join('') };
  },
  's3 mb': async (client, words) => {
    const bucket = bucketOf(words);
    const { region } = client.options;
    const constraint = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
    return tryOn(`s3://${bucket}`, 'make_bucket', async () => {
      await client.s3('CreateBucket', { method: 'PUT', bucket, ...(region === DEFAULT_REGION ? {} : { body: constraint }) });
      return `make_bucket: ${bucket}\n`;
    });
  },
  's3 rb': async (client, words) => {
    const bucket = bucketOf(words);
    return tryOn(`s3://${bucket}`, 'remove_bucket', async () => {
      await client.s3('DeleteBucket', { method: 'DELETE', bucket });
      return `remove_bucket: ${bucket}\n`;
    });
  },
};

/** The program `aws`, as far as scenarios use it: who am I, and buckets. */
export async function runAwsCli(context: AwsCliContext): Promise<AwsCliResult> {
  const words = context.argv.slice(1).filter((word) => !word.startsWith('--'));
  const command = COMMANDS[words.slice(0, 2).join(' ')];
  if (!command)
    return { code: USAGE_ERROR, stderr: `aws: error: argument command: this simulation has ${Object.keys(COMMANDS).join(', ')}\n` };
  const region = context.env.get('AWS_REGION') ?? context.env.get('AWS_DEFAULT_REGION') ?? DEFAULT_REGION;
  try {
    const credentials = await credentialsOf(context, region);
    if (!credentials)
      return {
        code: CONFIGURATION_ERROR,
        stderr: '\nUnable to locate credentials. You can configure credentials by running "aws configure".\n',
      };
    return await command(new AwsClient({ send: context.send, region, credentials }), words.slice(2));
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return { code: error.code === REQUEST_ERROR ? NO_ANSWER : SERVICE_ERROR, stderr: `\n${wordsOf(error)}\n` };
  }
}

/** botocore credentials: those of the environment, else those that the token in a file is good for. */
async function credentialsOf({ env, readFile, send, wallTime }: AwsCliContext, region: string): Promise<AwsCredentials | undefined> {
  const key = env.get('AWS_ACCESS_KEY_ID');
  if (key !== undefined) return { accessKeyId: key };
  const [RoleArn, file] = [env.get('AWS_ROLE_ARN'), env.get('AWS_WEB_IDENTITY_TOKEN_FILE')];
  if (RoleArn === undefined || file === undefined) return undefined;
  const RoleSessionName = env.get('AWS_ROLE_SESSION_NAME') ?? `botocore-session-${Math.floor(wallTime / 1000)}`;
  const parameters = { RoleArn, RoleSessionName, WebIdentityToken: readFile(file) ?? '' };
  const answer = await new AwsClient({ send, region }).query('sts', 'AssumeRoleWithWebIdentity', parameters);
  const accessKeyId = answer.text('Credentials', 'AccessKeyId');
  return accessKeyId === undefined ? undefined : { accessKeyId };
}

function bucketOf([target = '']: readonly string[]): string {
  return target.replace(/^s3:\/\//, '').replace(/\/$/, '');
}

/** The commands of `aws s3` tell of what was refused themselves. */
async function tryOn(target: string, what: string, run: () => Promise<string>): Promise<AwsCliResult> {
  try {
    return { code: 0, stdout: await run() };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return { code: GENERAL_ERROR, stderr: `${what} failed: ${target} ${wordsOf(error)}\n` };
  }
}

/** botocore exceptions: EndpointConnectionError, ClientError */
function wordsOf({ code, reason, operation }: AwsError): string {
  if (code === REQUEST_ERROR) return `Could not connect to the endpoint URL: ${/"[^"]*"/.exec(reason)?.[0] ?? ''}`;
  return `An error occurred (${code}) when calling the ${operation} operation: ${reason}`;
}
