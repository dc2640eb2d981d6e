import { produce } from 'immer';
import { deepEqual } from '../../src/api/deep-equal.ts';
import { namespaces } from '../../src/api/resources.ts';
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
/** `adopt`: the bucket is there, made by somebody else; `adopt-or-create`: it may be. */
const ADOPTION_POLICY = 'services.k8s.aws/adoption-policy';
/** How what is to be adopted is found: `{"name": "…"}`. */
const ADOPTION_FIELDS = 'services.k8s.aws/adoption-fields';
/** Written when it has been. */
const ADOPTED = 'services.k8s.aws/adopted';
/** `true`: it is only looked at. */
const READ_ONLY = 'services.k8s.aws/read-only';
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

class AdoptionProblem extends Error {
  override name = 'AdoptionProblem';
}

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

/** resourceReconciler.Sync: looks whether the bucket is there, then makes it, or takes it over. The finalizer comes first. */
async function sync(found: Bucket, aws: AwsClient, context: ReconcileContext): Promise<ReconcileResult> {
  const { annotations = {} } = found.metadata;
  const bucket = { ...found, spec: { ...found.spec, name: wantedName(found) } };
  let current = bucket;
  try {
    const isThere = await exists(aws, bucket.spec.name);
    if (isThere && isReadOnly(annotations)) return await setSynced(current, aws, context);
    if (isThere && !containsFinalizer(bucket, FINALIZER)) {
      if (!annotations[ADOPTION_POLICY]) {
        await setStatus(bucket, context, { conditions: [terminal('Resource already exists', NOT_MANAGED), notSynced('')] });
        throw new TerminalError(NOT_MANAGED);
      }
      current = await adopt(bucket, context);
    }
    if (!isThere) {
      assertMayCreate(annotations);
      current = await createResource(bucket, aws, context);
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
  return setSynced(current, aws, context);
}

async function setSynced(bucket: Bucket, aws: AwsClient, context: ReconcileContext): Promise<ReconcileResult> {
  const { name } = bucket.spec;
  const ownerAccountID = (await aws.query('sts', 'GetCallerIdentity')).text('Account') ?? '';
  await setStatus(bucket, context, {
    ackResourceMetadata: { arn: `arn:aws:s3:::${name}`, ownerAccountID, region: aws.options.region },
    conditions: [{ type: 'ACK.ResourceSynced', status: 'True', message: SYNCED, reason: '' }],
    location: `http://${name}.s3.amazonaws.com/`,
  });
  return { requeueAfterMs: RESYNC_MS, background: true };
}

/** resourceReconciler.createResource: what AWS has not made is not managed, so that its object can go. */
async function createResource(bucket: Bucket, aws: AwsClient, { client }: ReconcileContext): Promise<Bucket> {
  const requests = client.resource(buckets);
  const managed = containsFinalizer(bucket, FINALIZER)
    ? bucket
    : await requests.update(produce(bucket, (draft) => void addFinalizer(draft, FINALIZER)));
  try {
    await create(aws, managed);
  } catch (error) {
    if (error instanceof AwsError) await requests.update(produce(managed, (draft) => void removeFinalizer(draft, FINALIZER)));
    throw error;
  }
  return managed;
}

/** What is there already is managed from now on, and says so. resourceReconciler.Sync, MarkAdopted */
async function adopt(bucket: Bucket, { client }: ReconcileContext): Promise<Bucket> {
  const requests = client.resource(buckets);
  const managed = await requests.update(produce(bucket, (draft) => void addFinalizer(draft, FINALIZER)));
  return requests.update(
    produce(managed, ({ metadata }) => {
      metadata.annotations = { ...metadata.annotations, [ADOPTED]: 'true' };
    }),
  );
}

/** pkg/runtime GetAdoptionPolicy, resourceReconciler.handlePopulation. @throws Error that nobody is told of but by tries again */
function wantedName({ metadata, spec }: Bucket): string {
  const { annotations = {} } = metadata;
  const policy = annotations[ADOPTION_POLICY];
  if (policy === undefined || containsFinalizer({ metadata }, FINALIZER)) return spec.name;
  if (policy !== 'adopt' && policy !== 'adopt-or-create') throw new AdoptionProblem('unrecognized adoption policy');
  if (policy === 'adopt-or-create') return spec.name;
  const name = nameIn(annotations[ADOPTION_FIELDS] ?? '');
  if (name === undefined) throw new AdoptionProblem('required field missing: name');
  return name;
}

function nameIn(fields: string): string | undefined {
  try {
    const { name } = JSON.parse(fields) as { readonly name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Somebody else was to have made it. */
function assertMayCreate(annotations: Readonly<Record<string, string>>): void {
  if (annotations[ADOPTION_POLICY] === 'adopt' || annotations[ADOPTED]?.toLowerCase() === 'true')
    throw new AdoptionProblem('adopted resource not found');
  if (isReadOnly(annotations)) throw new AdoptionProblem('read only resource not found');
}

function isReadOnly(annotations: Readonly<Record<string, string>>): boolean {
  return annotations[READ_ONLY]?.toLowerCase() === 'true';
}

/** resourceReconciler.cleanup */
async function cleanUp(bucket: Bucket, aws: AwsClient, context: ReconcileContext): Promise<undefined> {
  if (!containsFinalizer(bucket, FINALIZER)) return undefined;
  const isKept = isReadOnly(bucket.metadata.annotations ?? {}) || (await deletionPolicy(bucket, context)) === 'retain';
  if (!isKept) {
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

/** resourceReconciler.getDeletionPolicy: the object's own word, then that of its namespace. */
async function deletionPolicy({ metadata }: Bucket, { reader }: ReconcileContext): Promise<string | undefined> {
  const own = metadata.annotations?.[DELETION_POLICY];
  if (own !== undefined) return own.toLowerCase();
  const namespace = await reader.get(namespaces, { name: metadata.namespace ?? '' });
  return namespace?.metadata.annotations?.[`s3.${DELETION_POLICY}`]?.toLowerCase();
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
