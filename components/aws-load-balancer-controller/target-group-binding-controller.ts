import { produce } from 'immer';
import { isConditionTrue } from '../../src/api/conditions.ts';
import type { ServicePort } from '../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../src/api/kinds/discovery-v1.ts';
import { endpointslices, nodes, services } from '../../src/api/resources.ts';
import type { AwsClient } from '../../src/client/aws-client.ts';
import type { CachedReader } from '../../src/client/cached-reader.ts';
import { type Controller, defineController, type ReconcileContext, watching } from '../../src/client/controller-runtime.ts';
import { addFinalizer, containsFinalizer, removeFinalizer } from '../../src/client/finalizers.ts';
import { generationChanged } from '../../src/client/predicates.ts';
import { type TargetGroupBinding, targetgroupbindings } from './api.ts';
import { isRefusal } from './deployer.ts';

const FINALIZER = 'elbv2.k8s.aws/resources';
const SERVICE_NAME = 'kubernetes.io/service-name';

type Target = Readonly<Record<'Id', string> & Record<'Port', number>>;

/** Keeps the targets of a target group what the endpoints of a Service are: controllers/elbv2 targetGroupBindingReconciler */
export function targetGroupBindingController(aws: AwsClient): Controller {
  return defineController<TargetGroupBinding>({
    name: 'targetGroupBinding',
    for: targetgroupbindings,
    when: generationChanged,
    watches: [
      watching(endpointslices, (slice, reader) => bindingsFor(reader, slice.metadata.namespace, slice.metadata.labels?.[SERVICE_NAME])),
      watching(services, ({ metadata }, reader) => bindingsFor(reader, metadata.namespace, metadata.name)),
      watching(
        nodes,
        (_, reader) => reader.list(targetgroupbindings).then((all) => all.filter(ofInstances).map(placeOf)),
        (after, before) => {
          return before === undefined || isReady(after) !== isReady(before) || after.spec?.providerID !== before.spec?.providerID;
        },
      ),
    ],
    maxConcurrentReconciles: 3,
    reconcile: async (request, context) => {
      const binding = await context.reader.get(targetgroupbindings, request);
      if (!binding) return;
      if (binding.metadata.deletionTimestamp) await cleanUp(binding, aws, context);
      else await reconcile(binding, aws, context);
    },
  });
}

async function reconcile(binding: TargetGroupBinding, aws: AwsClient, { client, reader, recorder }: ReconcileContext): Promise<void> {
  let current = binding;
  if (!containsFinalizer(binding, FINALIZER))
    current = await client.resource(targetgroupbindings).update(produce(binding, (draft) => void addFinalizer(draft, FINALIZER)));
  try {
    await setTargets(aws, current.spec.targetGroupARN, await targetsOf(current, reader));
  } catch (error) {
    if (isRefusal(error)) recorder.event(current, 'Warning', 'BackendReconcileError', error.message);
    throw error;
  }
  const { generation } = current.metadata;
  if (generation === undefined || current.status?.observedGeneration === generation) return;
  await client.resource(targetgroupbindings).updateStatus(
    produce(current, (draft) => {
      draft.status = { observedGeneration: generation };
    }),
  );
  recorder.event(current, 'Normal', 'SuccessfullyReconciled', 'Successfully reconciled');
}

async function cleanUp(binding: TargetGroupBinding, aws: AwsClient, { client }: ReconcileContext): Promise<void> {
  if (!containsFinalizer(binding, FINALIZER)) return;
  await setTargets(aws, binding.spec.targetGroupARN, []);
  await client.resource(targetgroupbindings).update(produce(binding, (draft) => void removeFinalizer(draft, FINALIZER)));
}

async function setTargets(aws: AwsClient, TargetGroupArn: string, wanted: readonly Target[]): Promise<void> {
  const elb = (action: string, parameters: Parameters<AwsClient['query']>[2]) => aws.query('elasticloadbalancing', action, parameters);
  const described = (await elb('DescribeTargetHealth', { TargetGroupArn })).items('TargetHealthDescriptions');
  const present = described.map((each) => ({ Id: each.text('Target', 'Id') ?? '', Port: Number(each.text('Target', 'Port')) }));
  const lacks = (targets: readonly Target[], target: Target): boolean =>
    !targets.some(({ Id, Port }) => Id === target.Id && Port === target.Port);
  const added = wanted.filter((target) => lacks(present, target));
  const removed = present.filter((target) => lacks(wanted, target));
  if (removed.length > 0) await elb('DeregisterTargets', { TargetGroupArn, Targets: removed });
  if (added.length > 0) await elb('RegisterTargets', { TargetGroupArn, Targets: added });
}

/** pkg/targetgroupbinding resourceManager: addresses of pods that are ready, or machines and their port. */
async function targetsOf({ metadata, spec }: TargetGroupBinding, reader: CachedReader): Promise<Target[]> {
  const { namespace = '' } = metadata;
  const service = await reader.get(services, { namespace, name: spec.serviceRef.name });
  const port = service?.spec?.ports?.find((each) => each.port === spec.serviceRef.port || each.name === spec.serviceRef.port);
  if (!port) return [];
  if (spec.targetType === 'ip') {
    const slices = await reader.list(endpointslices, { namespace, labels: { [SERVICE_NAME]: spec.serviceRef.name } });
    return slices.flatMap((slice) => endpointsOf(slice, port));
  }
  const all = await reader.list(nodes);
  return all.filter(isReady).map((node) => ({ Id: node.spec?.providerID?.split('/').at(-1) ?? '', Port: port.nodePort ?? 0 }));
}

function endpointsOf({ endpoints, ports }: EndpointSlice, { name = '' }: ServicePort): Target[] {
  const found = ports?.find((each) => (each.name ?? '') === name)?.port;
  if (found === undefined) return [];
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses.map((Id) => ({ Id, Port: found })));
}

async function bindingsFor(reader: CachedReader, namespace = '', service = ''): Promise<{ namespace: string; name: string }[]> {
  const all = await reader.list(targetgroupbindings, { namespace });
  return all.filter(({ spec }) => spec.serviceRef.name === service).map(placeOf);
}

function ofInstances({ spec }: TargetGroupBinding): boolean {
  return spec.targetType === 'instance';
}

function placeOf({ metadata: { namespace = '', name = '' } }: TargetGroupBinding): { namespace: string; name: string } {
  return { namespace, name };
}

function isReady({
  status,
  spec,
}: {
  status?: { conditions?: { type: string; status: string }[] };
  spec?: { unschedulable?: boolean };
}): boolean {
  return isConditionTrue(status?.conditions as Parameters<typeof isConditionTrue>[0], 'Ready') && !spec?.unschedulable;
}
