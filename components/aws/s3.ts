import type { XmlValue } from '../../src/api/xml-text.ts';
import { type Account, timestamp } from './account.ts';
import { AwsFailure } from './aws-failure.ts';

/** A request to S3: what is asked is in its method, host and path. */
export interface S3Request {
  readonly method: string;
  /** '' for the list of all. */
  readonly bucket: string;
  readonly body: string | undefined;
}

/** Names that somebody else in the world has: all accounts share them. */
const TAKEN = new Set(['backup', 'backups', 'bucket', 'data', 'example', 'my-bucket', 'mybucket', 'test', 'test-bucket']);

/** Amazon S3, as far as buckets go. */
export class S3 {
  readonly #account: Account;
  readonly #buckets = new Map<string, { readonly createdAt: string; readonly region: string }>();

  constructor(account: Account) {
    this.#account = account;
  }

  /** The action of a request, as policies call it. */
  actionOf({ method, bucket }: S3Request): string {
    if (!bucket) return 's3:ListAllMyBuckets';
    return { PUT: 's3:CreateBucket', DELETE: 's3:DeleteBucket' }[method] ?? 's3:ListBucket';
  }

  /** @returns a document and its root, or nothing but the status and headers */
  serve({ method, bucket, body }: S3Request): {
    readonly status: number;
    readonly root?: string;
    readonly value?: XmlValue;
    readonly location?: string;
  } {
    if (!bucket) return { status: 200, root: 'ListAllMyBucketsResult', value: this.#list() };
    if (method === 'PUT') return this.#create(bucket, body);
    if (!this.#buckets.has(bucket)) {
      if (TAKEN.has(bucket)) throw new AwsFailure('AccessDenied', 'Access Denied', 403);
      throw new AwsFailure('NoSuchBucket', 'The specified bucket does not exist', 404);
    }
    if (method === 'DELETE') {
      this.#buckets.delete(bucket);
      return { status: 204 };
    }
    return method === 'HEAD'
      ? { status: 200 }
      : { status: 200, root: 'ListBucketResult', value: { Name: bucket, KeyCount: 0, IsTruncated: false } };
  }

  #list(): XmlValue {
    const buckets = [...this.#buckets].sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      Owner: { ID: this.#account.id },
      Buckets: buckets.map(([Name, { createdAt }]) => ({ Name, CreationDate: createdAt })),
    };
  }

  #create(bucket: string, body = ''): { readonly status: number; readonly location: string } {
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw new AwsFailure('InvalidBucketName', 'The specified bucket is not valid.');
    if (this.#buckets.has(bucket))
      throw new AwsFailure(
        'BucketAlreadyOwnedByYou',
        'Your previous request to create the named bucket succeeded and you already own it.',
        409,
      );
    if (TAKEN.has(bucket))
      throw new AwsFailure(
        'BucketAlreadyExists',
        'The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.',
        409,
      );
    const region = /<LocationConstraint>([^<]+)</.exec(body)?.[1] ?? 'us-east-1';
    if (region !== this.#account.region)
      throw new AwsFailure(
        'IllegalLocationConstraintException',
        body
          ? `The ${region} location constraint is incompatible for the region specific endpoint this request was sent to.`
          : 'The unspecified location constraint is incompatible for the region specific endpoint this request was sent to.',
      );
    this.#buckets.set(bucket, { createdAt: timestamp(this.#account), region });
    return { status: 200, location: `http://${bucket}.s3.amazonaws.com/` };
  }
}
