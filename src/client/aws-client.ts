import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest } from '../api/outbound.ts';
import { parseXml, XmlElement } from '../api/xml-text.ts';

/** What a request is signed with. */
export interface AwsCredentials {
  readonly accessKeyId: string;
}

/** A service with the Query protocol. */
export type AwsQueryService = 'ec2' | 'elasticloadbalancing' | 'iam' | 'sts';

/** Parameters of an action; lists and structures are written out as `Filter.1.Name`. */
export type AwsParameter = string | number | boolean | undefined | readonly AwsParameter[] | { readonly [name: string]: AwsParameter };
export type AwsParameters = Readonly<Record<string, AwsParameter>>;

const VERSIONS: Readonly<Record<AwsQueryService, string>> = {
  ec2: '2016-11-15',
  elasticloadbalancing: '2015-12-01',
  iam: '2010-05-08',
  sts: '2011-06-15',
};
/** How the SDK calls a service when it tells of an error. */
const SERVICE_IDS: Readonly<Record<AwsQueryService, string>> = {
  ec2: 'EC2',
  elasticloadbalancing: 'Elastic Load Balancing v2',
  iam: 'IAM',
  sts: 'STS',
};
const TIMEOUT_MS = 60_000;
const DNS_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The code of a request that nobody answered. */
export const REQUEST_ERROR = 'RequestError';

/** A request that AWS refused or did not answer, in the words of the SDK for Go (aws-sdk-go-v2, smithy OperationError). */
export class AwsError extends Error {
  override name = 'AwsError';
  readonly code: string;
  /** The action that was called. */
  readonly operation: string;
  /** What the service itself said. */
  readonly reason: string;

  constructor(
    call: string,
    answer: { readonly status: number; readonly requestId: string; readonly code: string; readonly reason: string },
  ) {
    const { status, requestId, code, reason } = answer;
    const what = status === 0 ? reason : `api error ${code}: ${reason}`;
    super(`operation error ${call}, https response error StatusCode: ${status}, RequestID: ${requestId}, ${what}`);
    this.code = code;
    this.operation = call.split(': ')[1] ?? call;
    this.reason = reason;
  }
}

export interface AwsClientOptions {
  readonly send: Outbound;
  readonly region: string;
  /** None: requests are not signed. */
  readonly credentials?: AwsCredentials;
}

/** A client of AWS, as its SDK is one: requests over HTTP, signed by name of the key only. */
export class AwsClient {
  readonly options: AwsClientOptions;

  constructor(options: AwsClientOptions) {
    this.options = options;
  }

  /** Calls an action of a service with the Query protocol and reads its result. @throws AwsError */
  async query(service: AwsQueryService, action: string, parameters: AwsParameters = {}): Promise<XmlElement> {
    const form = new URLSearchParams({ Action: action, Version: VERSIONS[service] });
    for (const [name, value] of flatten('', parameters, service === 'ec2' ? '' : 'member.')) form.append(name, value);
    const host = service === 'iam' ? 'iam.amazonaws.com' : `${service}.${this.options.region}.amazonaws.com`;
    const call = `${SERVICE_IDS[service]}: ${action}`;
    const { status, body } = await this.#send(call, {
      method: 'POST',
      url: `https://${host}/`,
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...this.#authorization(service) },
      body: form.toString(),
      timeoutMs: TIMEOUT_MS,
    });
    const root = parseXml(body);
    if (status >= 300) throw errorOf(call, status, root);
    return root?.get(`${action}Result`) ?? root ?? new XmlElement('');
  }

  /** A request to a bucket of S3, or to the list of all. @throws AwsError */
  async s3(action: string, { method, bucket = '', path = '/', body }: S3Request): Promise<XmlElement | undefined> {
    const endpoint = `s3.${this.options.region}.amazonaws.com`;
    // What cannot be part of a host name goes into the path.
    const [host, place] = DNS_LABEL.test(bucket) ? [`${bucket}.${endpoint}`, ''] : [endpoint, bucket && `/${encodeURIComponent(bucket)}`];
    const answer = await this.#send(`S3: ${action}`, {
      method,
      url: `https://${host}${place}${path}`,
      headers: this.#authorization('s3'),
      timeoutMs: TIMEOUT_MS,
      ...(body === undefined ? {} : { body }),
    });
    const root = parseXml(answer.body);
    if (answer.status >= 300) throw errorOf(`S3: ${action}`, answer.status, root);
    return root;
  }

  async #send(call: string, request: OutboundRequest): Promise<OutboundAnswer> {
    try {
      return await this.options.send(request);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const verb = `${request.method[0]}${request.method.slice(1).toLowerCase()}`;
      const reason = `request send failed, ${verb} "${request.url}": ${error.message}`;
      throw new AwsError(call, { status: 0, requestId: '', code: REQUEST_ERROR, reason });
    }
  }

  /** Signature Version 4, but for the signature. */
  #authorization(service: string): Readonly<Record<string, string>> {
    const { credentials, region } = this.options;
    if (!credentials) return {};
    const scope = `${credentials.accessKeyId}/20260101/${region}/${service}/aws4_request`;
    return { authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=` };
  }
}

export interface S3Request {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'PUT';
  readonly bucket?: string;
  readonly path?: string;
  readonly body?: string;
}

/** A HEAD has no body: then the status is all that there is. */
function errorOf(call: string, status: number, root: XmlElement | undefined): AwsError {
  const error = root?.get('Errors', 'Error') ?? root?.get('Error') ?? root;
  const requestId = root?.text('RequestID') ?? root?.text('RequestId') ?? '';
  const code = error?.text('Code') ?? { 403: 'Forbidden', 404: 'NotFound' }[status] ?? 'UnknownError';
  return new AwsError(call, { status, requestId, code, reason: error?.text('Message') ?? '' });
}

function* flatten(prefix: string, value: AwsParameter, member: string): Generator<[string, string]> {
  if (value === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly AwsParameter[]).entries())
      yield* flatten(`${prefix}.${member}${index + 1}`, item, member);
  } else if (typeof value === 'object') {
    for (const [name, each] of Object.entries(value)) yield* flatten(prefix ? `${prefix}.${name}` : name, each, member);
  } else yield [prefix, String(value)];
}
