import { produce } from 'immer';
import { deepEqual } from '../../src/api/deep-equal.ts';
import { formatTime } from '../../src/api/time.ts';
import { type AwsClient, AwsError } from '../../src/client/aws-client.ts';
import { type Controller, defineController, type ReconcileContext, type ReconcileResult } from '../../src/client/controller-runtime.ts';
import { addFinalizer, containsFinalizer, removeFinalizer } from '../../src/client/finalizers.ts';
import { annotationsChanged, anyOf, generationChanged } from '../../src/client/predicates.ts';
import { TerminalError } from '../../src/client/terminal-error.ts';
import { type AckCondition, type Bucket, buckets } from './api.ts';

const FINALIZER = 'finalizers.s3.services.k8s.aws/Bucket';
/** `retain`: the bucket outlives its object. */
const DELETION_POLICY = 'services.k8s.aws/deletion-policy';
/** The one region whose name nobody gives. */
const FIRST_REGION = 'us-east-1';
/** How often AWS is looked at without need: the runtime's resync period. */
const RESYNC_MS = 10 * 3600_000;

/** aws-controllers-k8s/runtime pkg/condition */
const SYNCED = 'Resource synced successfully';
const NOT_SYNCED = 'Resource not synced';
const UNKNOWN_SYNCED = 'Unable to determine if desired resource state matches latest observed state';
const NOT_MANAGED =
  'This resource already exists but is not managed by ACK. To bring the resource under ACK management, you should explicitly adopt the resource by enabling the ResourceAdoption feature gate and populating the `services.k8s.aws/adoption-policy` and `services.k8s.aws/adoption-fields` annotations.';
/** Codes after which another try would be in vain: generator.yaml terminal_codes. */
const TERMINAL_CODES = new Set([
  'PermanentRedirect',
  'InvalidLocationConstraint',
  'InvalidBucketName',
  'IllegalLocationConstraintException',
]);

/** Makes buckets of S3 what their objects say: aws-controllers-k8s/runtime pkg/runtime resourceReconciler, with the resource manager of Buckets */
export function bucketController(aws: AwsClient): Controller {
  return defineController<Bucket>({
    name: 'bucket',
    for: buckets,
    when: anyOf(generationChanged, annotationsChanged),
    reconcile: async (request, context) => {
      const bucket = await context.reader.get(buckets, request);
      if (!bucket) return undefined;
      return bucket.metadata.deletionTimestamp ? cleanUp(bucket, aws, context) : sync(bucket, aws, context);
    },
  });
}

/** resourceReconciler.Sync: looks whether the bucket is there, then makes it. The finalizer comes first. */
async function sync(bucket: Bucket, aws: AwsClient, context: ReconcileContext): Promise<ReconcileResult> {
  const { client } = context;
  let current = bucket;
  try {
    const isThere = await exists(aws, bucket.spec.name);
    if (isThere && !containsFinalizer(bucket, FINALIZER)) {
      await setStatus(bucket, context, { conditions: [terminal('Resource already exists', NOT_MANAGED), notSynced('')] });
      throw new TerminalError(NOT_MANAGED);
    }
    if (!isThere) {
      if (!containsFinalizer(bucket, FINALIZER))
        current = await client.resource(buckets).update(produce(bucket, (draft) => void addFinalizer(draft, FINALIZER)));
      await create(aws, current);
    }
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const isTerminal = TERMINAL_CODES.has(error.code);
    const unknown: AckCondition = { type: 'ACK.ResourceSynced', status: 'Unknown', message: UNKNOWN_SYNCED, reason: error.message };
    await setStatus(current, context, {
      conditions: isTerminal
        ? [terminal(error.message), notSynced(error.message)]
        : [{ type: 'ACK.Recoverable', status: 'True', message: error.message }, unknown],
    });
    throw isTerminal ? new TerminalError(error.message) : error;
  }
  const { name } = current.spec;
  const ownerAccountID = (await aws.query('sts', 'GetCallerIdentity')).text('Account') ?? '';
  await setStatus(current, context, {
    ackResourceMetadata: { arn: `arn:aws:s3:::${name}`, ownerAccountID, region: aws.options.region },
    conditions: [{ type: 'ACK.ResourceSynced', status: 'True', message: SYNCED, reason: '' }],
    location: `http://${name}.s3.amazonaws.com/`,
  });
  return { requeueAfterMs: RESYNC_MS, background: true };
}

/** resourceReconciler.cleanup */
async function cleanUp(bucket: Bucket, aws: AwsClient, context: ReconcileContext): Promise<undefined> {
  if (!containsFinalizer(bucket, FINALIZER)) return undefined;
  if (bucket.metadata.annotations?.[DELETION_POLICY] !== 'retain') {
    try {
      await aws.s3('DeleteBucket', { method: 'DELETE', bucket: bucket.spec.name });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      if (error.code !== 'NoSuchBucket') {
        await setStatus(bucket, context, { conditions: [{ type: 'ACK.Recoverable', status: 'True', message: error.message }] });
        throw error;
      }
    }
  }
  await context.client.resource(buckets).update(produce(bucket, (draft) => void removeFinalizer(draft, FINALIZER)));
  return undefined;
}

/** resourceManager.sdkFind: the list says which buckets are ours. */
async function exists(aws: AwsClient, name: string): Promise<boolean> {
  const list = await aws.s3('ListBuckets', { method: 'GET' });
  return list?.items('Buckets').some((each) => each.text('Name') === name) ?? false;
}

async function create(aws: AwsClient, { spec }: Bucket): Promise<void> {
  const { region } = aws.options;
  const location = spec.createBucketConfiguration?.locationConstraint ?? (region === FIRST_REGION ? undefined : region);
  const body = `<CreateBucketConfiguration><LocationConstraint>${location}</LocationConstraint></CreateBucketConfiguration>`;
  await aws.s3('CreateBucket', { method: 'PUT', bucket: spec.name, ...(location === undefined ? {} : { body }) });
}

function terminal(message: string, reason?: string): AckCondition {
  return { type: 'ACK.Terminal', status: 'True', message, ...(reason === undefined ? {} : { reason }) };
}

function notSynced(reason: string): AckCondition {
  return { type: 'ACK.ResourceSynced', status: 'False', message: NOT_SYNCED, reason };
}

/** Writes what is new; a condition keeps its time while its status stays. */
async function setStatus(bucket: Bucket, { client, actor }: ReconcileContext, status: NonNullable<Bucket['status']>): Promise<void> {
  const before = bucket.status?.conditions ?? [];
  const now = formatTime(actor.simulation.wallTime);
  const conditions = (status.conditions ?? []).map((condition) => {
    if (condition.type === 'ACK.Recoverable') return condition;
    const known = before.find(({ type }) => type === condition.type);
    return { ...condition, lastTransitionTime: known?.status === condition.status ? (known.lastTransitionTime ?? now) : now };
  });
  const next = { ...bucket.status, ...status, conditions };
  if (deepEqual(next, bucket.status)) return;
  const { namespace = '', name = '' } = bucket.metadata;
  await client.resource(buckets).patch({ namespace, name }, { status: next }, { type: 'merge', subresource: 'status' });
}
