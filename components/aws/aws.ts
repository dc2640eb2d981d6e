import type { OutboundAnswer, OutboundRequest } from '../../src/api/outbound.ts';
import { writeXml, type XmlValue } from '../../src/api/xml-text.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { Account } from './account.ts';
import { AwsFailure } from './aws-failure.ts';
import { Ec2 } from './ec2/ec2.ts';
import { ElbV2 } from './elbv2/elbv2.ts';
import type { Probe } from './elbv2/targets.ts';
import { Iam, matchesPattern, type Principal } from './iam.ts';
import { QueryParameters } from './query-parameters.ts';
import { S3 } from './s3.ts';
import { type KeysOfIssuer, Sts } from './sts.ts';

export interface AwsOptions {
  readonly accountId: string;
  readonly region: string;
  readonly zones: readonly string[];
  /** What health checks of load balancers find. */
  readonly probe: Probe;
  readonly keysOfIssuer: KeysOfIssuer;
}

type Operations = Readonly<Record<string, (parameters: QueryParameters, principal: Principal) => XmlValue>>;

interface QueryService {
  readonly namespace: string;
  readonly operations: Operations;
}

const UNSIGNED = 'AssumeRoleWithWebIdentity';
const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NOBODY: Principal = { arn: '', userId: '', actions: [] };

/** An account of Amazon Web Services in one region, behind one door: requests over HTTP, told apart by their host. Signatures are not looked at, only whose key it is. */
export class Aws {
  readonly options: AwsOptions;
  readonly ec2: Ec2;
  readonly elb: ElbV2;
  readonly s3: S3;
  readonly iam: Iam;
  readonly #account: Account;
  readonly #services: Readonly<Record<string, QueryService>>;
  /** Actions that are refused, by `service:Action`, and how. */
  readonly failures = new Map<string, { readonly code: string; readonly message: string }>();

  constructor(actor: Actor, options: AwsOptions) {
    this.options = options;
    const account = { actor, random: actor.simulation.random.fork('aws'), id: options.accountId, region: options.region };
    this.#account = account;
    this.ec2 = new Ec2(account, options.zones);
    const addressOf = (id: string) => this.ec2.instances.all.find(({ instanceId }) => instanceId === id)?.privateIpAddress;
    this.elb = new ElbV2(account, { subnets: this.ec2.subnets, probe: options.probe, addressOf });
    this.s3 = new S3(account);
    this.iam = new Iam(account);
    const sts = new Sts(account, this.iam, options.keysOfIssuer);
    this.#services = {
      ec2: { namespace: 'http://ec2.amazonaws.com/doc/2016-11-15/', operations: this.ec2.operations },
      elasticloadbalancing: { namespace: 'http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/', operations: this.elb.operations },
      iam: { namespace: 'https://iam.amazonaws.com/doc/2010-05-08/', operations: this.iam.operations },
      sts: {
        namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
        operations: {
          [UNSIGNED]: (parameters) => sts.assumeRoleWithWebIdentity(parameters),
          GetCallerIdentity: (_, principal) => sts.getCallerIdentity(principal),
        },
      },
    };
  }

  get actor(): Actor {
    return this.#account.actor;
  }

  /** The door as an ordinary function, for whoever stands outside. */
  async fetch(request: Request): Promise<Response> {
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    const { status, body, headers: answered } = this.handle({ method, url, headers, body: await request.text(), timeoutMs: 60_000 });
    return new Response(status === 204 ? null : body, { status, headers: answered });
  }

  handle(request: Omit<OutboundRequest, 'serverName' | 'caBundle' | 'insecure'>): OutboundAnswer {
    const { hostname } = new URL(request.url);
    const s3 = /^(?:(.+)\.)?s3\.[a-z0-9-]*\.?amazonaws\.com$/.exec(hostname);
    if (s3) return this.#serveS3(request, s3[1]);
    return this.#serveQuery(request, hostname.split('.')[0] ?? '');
  }

  #serveQuery({ method, url, body = '', headers }: OutboundRequest, name: string): OutboundAnswer {
    const requestId = this.#account.random.uuid();
    const form = new URLSearchParams(method === 'POST' ? body : new URL(url).search);
    const action = form.get('Action') ?? '';
    const service = this.#services[name];
    const answer = (status: number, text: string): OutboundAnswer => {
      return {
        status,
        headers: { 'content-type': 'text/xml;charset=UTF-8', 'x-amzn-requestid': requestId },
        body: `${XML_DECLARATION}${text}`,
      };
    };
    try {
      const operation = service && Object.hasOwn(service.operations, action) ? service.operations[action] : undefined;
      if (!service || !operation) throw new AwsFailure('InvalidAction', `The action ${action} is not valid for this web service.`);
      const principal = action === UNSIGNED ? NOBODY : this.#authorize(headers, { action: `${name}:${action}`, resource: '*' });
      const parameters = new QueryParameters(new Map(form));
      this.#note(`${name}:${action}`, Object.fromEntries([...form].filter(([field]) => field !== 'WebIdentityToken')));
      return answer(200, document(service, { name, action, requestId, result: operation(parameters, principal) }));
    } catch (error) {
      if (!(error instanceof AwsFailure)) throw error;
      this.#note(`${name}:${action} is refused: ${error.code}`, { message: error.message });
      return answer(error.status, errorDocument(service, { name, requestId, error }));
    }
  }

  #serveS3({ method, url, body, headers }: OutboundRequest, host: string | undefined): OutboundAnswer {
    const request = { method, bucket: host ?? decodeURIComponent(new URL(url).pathname.split('/')[1] ?? ''), body: body || undefined };
    const { random } = this.#account;
    const requestId = random.hex(16).toUpperCase();
    const action = this.s3.actionOf(request);
    const answer = (status: number, text: string, more = {}): OutboundAnswer => {
      return {
        status,
        headers: { 'content-type': 'application/xml', 'x-amz-request-id': requestId, ...more },
        body: text && `${XML_DECLARATION}${text}`,
      };
    };
    try {
      this.#authorize(headers, { action, resource: `"arn:aws:s3:::${request.bucket || '*'}"` });
      this.#note(action, { bucket: request.bucket });
      const { status, root, value, location } = this.s3.serve(request);
      const text = root ? writeXml(`${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/"`, value ?? {}, 'Bucket') : '';
      return answer(status, text, location ? { location } : {});
    } catch (error) {
      if (!(error instanceof AwsFailure)) throw error;
      this.#note(`${action} is refused: ${error.code}`, { message: error.message });
      const value = {
        Code: error.code,
        Message: error.message,
        BucketName: request.bucket || undefined,
        RequestId: requestId,
        HostId: random.hex(56),
      };
      return answer(error.status, method === 'HEAD' ? '' : writeXml('Error', value));
    }
  }

  /** Whose request it is, and whether they may. @throws AwsFailure */
  #authorize(headers: OutboundRequest['headers'], { action, resource }: { readonly action: string; readonly resource: string }): Principal {
    const isS3 = action.startsWith('s3:');
    const isEc2 = action.startsWith('ec2:');
    const [, key] = /Credential=([^/,]+)/.exec(String(headers['authorization'] ?? '')) ?? [];
    if (key === undefined)
      throw isS3
        ? new AwsFailure('AccessDenied', 'Access Denied', 403)
        : new AwsFailure('MissingAuthenticationToken', 'Request is missing Authentication Token', 403);
    const principal = this.iam.principalOf(key);
    if (!principal) throw unknownKey({ isS3, isEc2 });
    if ((principal.expiresAt ?? Number.POSITIVE_INFINITY) < this.actor.simulation.wallTime)
      throw isEc2
        ? new AwsFailure('RequestExpired', 'Request has expired.')
        : new AwsFailure(
            'ExpiredToken',
            isS3 ? 'The provided token has expired.' : 'The security token included in the request is expired',
            isS3 ? 400 : 403,
          );
    const failure = this.failures.get(action);
    if (failure) throw new AwsFailure(failure.code, failure.message);
    const isFree = action === 'sts:GetCallerIdentity';
    if (isFree || principal.actions.some((pattern) => matchesPattern(pattern, action))) return principal;
    if (isEc2) throw new AwsFailure('UnauthorizedOperation', 'You are not authorized to perform this operation.', 403);
    throw new AwsFailure(
      'AccessDenied',
      `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
      403,
    );
  }

  #note(message: string, details: object): void {
    this.actor.simulation.trace.record({ kind: 'runtime', what: 'aws', message: `AWS is asked: ${message}`, details });
  }
}

function unknownKey({ isS3, isEc2 }: { readonly isS3: boolean; readonly isEc2: boolean }): AwsFailure {
  if (isS3) return new AwsFailure('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', 403);
  if (isEc2) return new AwsFailure('AuthFailure', 'AWS was not able to validate the provided access credentials', 401);
  return new AwsFailure('InvalidClientTokenId', 'The security token included in the request is invalid.', 403);
}

interface Answered {
  readonly name: string;
  readonly action: string;
  readonly requestId: string;
  readonly result: XmlValue;
}

/** EC2 writes its results into the root; the others have an element for them. */
function document({ namespace }: QueryService, { name, action, requestId, result }: Answered): string {
  const root = `${action}Response xmlns="${namespace}"`;
  if (name === 'ec2') return writeXml(root, { requestId, ...(result as Readonly<Record<string, XmlValue>>) });
  return writeXml(root, { [`${action}Result`]: result, ResponseMetadata: { RequestId: requestId } }, 'member');
}

function errorDocument(
  service: QueryService | undefined,
  { name, requestId, error }: { readonly name: string; readonly requestId: string; readonly error: AwsFailure },
): string {
  const { code, message } = error;
  if (name === 'ec2') return writeXml('Response', { Errors: { Error: { Code: code, Message: message } }, RequestID: requestId });
  const root = service ? `ErrorResponse xmlns="${service.namespace}"` : 'ErrorResponse';
  return writeXml(root, { Error: { Type: 'Sender', Code: code, Message: message }, RequestId: requestId });
}
