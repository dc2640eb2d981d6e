import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { isNotFound } from '../../api/status-error.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { describeAutoscaler } from '../describe/autoscaler.ts';
import {
  describeBudget,
  describeConfigMap,
  describeLimitRange,
  describeNamespace,
  describeQuota,
  describeSecret,
  describeServiceAccount,
} from '../describe/config.ts';
import { DescribeWriter } from '../describe/describe-writer.ts';
import { describeAny } from '../describe/generic.ts';
import { describeEndpointSlice, describeIngress, describeService } from '../describe/network.ts';
import { describeNode } from '../describe/node.ts';
import { describePod } from '../describe/pod.ts';
import { describeEndpoints, describeNetworkPolicy, describePriorityClass, describeStorageClass } from '../describe/policies.ts';
import { describeClaim, describeVolume } from '../describe/storage.ts';
import {
  describeCronJob,
  describeDaemonSet,
  describeDeployment,
  describeJob,
  describeReplicaSet,
  describeStatefulSet,
} from '../describe/workloads.ts';
import { errorText, KubectlError } from '../kubectl-error.ts';
import { type Named, namedObjects } from '../rest-mapper.ts';

type Describer = (context: CommandContext, writer: DescribeWriter, object: never) => Promise<void>;

/** By kind and group. */
const DESCRIBERS: Readonly<Record<string, Describer>> = {
  'Pod.': describePod,
  'Node.': describeNode,
  'Service.': describeService,
  'Namespace.': describeNamespace,
  'ConfigMap.': describeConfigMap,
  'Secret.': describeSecret,
  'ServiceAccount.': describeServiceAccount,
  'ResourceQuota.': describeQuota,
  'LimitRange.': describeLimitRange,
  'PersistentVolume.': describeVolume,
  'PersistentVolumeClaim.': describeClaim,
  'Deployment.apps': describeDeployment,
  'ReplicaSet.apps': describeReplicaSet,
  'StatefulSet.apps': describeStatefulSet,
  'DaemonSet.apps': describeDaemonSet,
  'Job.batch': describeJob,
  'CronJob.batch': describeCronJob,
  'EndpointSlice.discovery.k8s.io': describeEndpointSlice,
  'Ingress.networking.k8s.io': describeIngress,
  'HorizontalPodAutoscaler.autoscaling': describeAutoscaler,
  'PodDisruptionBudget.policy': describeBudget,
  'NetworkPolicy.networking.k8s.io': describeNetworkPolicy,
  'PriorityClass.scheduling.k8s.io': describePriorityClass,
  'StorageClass.storage.k8s.io': describeStorageClass,
  'Endpoints.': describeEndpoints,
};

/** kubectl describe. Differs: kinds that are not in the list above are described like custom resources. */
export const describe: Command = {
  flags: {
    selector: { type: 'string', short: 'l' },
    'all-namespaces': { type: 'boolean', short: 'A' },
    'show-events': { type: 'boolean' },
    ...FILE_FLAGS,
  },
  async run(context) {
    const files = context.flags.list('filename').length ? await fileObjects(context, { asGiven: true }) : undefined;
    if (!files && !context.args.length)
      throw new KubectlError(
        'error: You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
      );
    const named: readonly Named[] =
      files?.map(({ resource, object }) => ({ resource, name: object.metadata.name ?? '' })) ??
      (await namedObjects(context.client, context.args));
    const printer = new Printer(context);
    for (const one of named) {
      try {
        await (one.name === undefined
          ? describeAll(printer, context, one.resource)
          : describeOne(printer, context, { resource: one.resource, name: one.name }));
      } catch (error) {
        context.error(errorText(error));
      }
    }
    if (printer.empty && named.every(({ name }) => name === undefined))
      context.warn(
        context.flags.boolean('all-namespaces') ? 'No resources found' : `No resources found in ${context.namespace} namespace.`,
      );
  },
};

/** Puts two blank lines between descriptions. */
class Printer {
  readonly #context: CommandContext;
  empty = true;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  async print(resource: Resource, object: KubernetesObject, gap: 'before' | 'after' = 'before'): Promise<void> {
    const writer = new DescribeWriter();
    const describer = DESCRIBERS[`${resource.kind}.${resource.group}`] ?? (describeAny as Describer);
    await describer(this.#context, writer, object as never);
    if (!this.empty && gap === 'before') this.#context.out('\n');
    for (const line of writer.lines()) this.#context.out(line);
    if (gap === 'after') this.#context.out('');
    this.empty = false;
  }
}

async function describeAll(printer: Printer, context: CommandContext, resource: Resource): Promise<void> {
  const labelSelector = context.flags.string('selector');
  const namespace = context.flags.boolean('all-namespaces') ? undefined : placeOf(context, resource, '').namespace;
  const { items } = await context.client.resource(resource).list({ namespace, ...(labelSelector ? { labelSelector } : {}) });
  for (const object of items) await printer.print(resource, object);
}

/** By name; where there is no such object, all whose names begin so. */
async function describeOne(
  printer: Printer,
  context: CommandContext,
  { resource, name }: { resource: Resource; name: string },
): Promise<void> {
  const client = context.client.resource(resource);
  const at = placeOf(context, resource, name);
  try {
    return await printer.print(resource, await client.get(at));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { items } = await client.list({ namespace: at.namespace });
    const alike = items.filter(({ metadata }) => metadata.name?.startsWith(name));
    if (!alike.length) throw error;
    for (const object of alike) await printer.print(resource, object, 'after');
  }
}
