import type { HorizontalPodAutoscaler } from '../../api/kinds/autoscaling-v2.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { horizontalpodautoscalers } from '../../api/resources.ts';
import { type Command, type CommandContext, FILE_FLAGS, fileObjects, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { dryRunOf, MAKE_FLAGS, makeObject } from '../make-object.ts';
import { namedObjects } from '../rest-mapper.ts';

const SCALABLE = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']);

/** kubectl autoscale TYPE NAME --max=N: a HorizontalPodAutoscaler of autoscaling/v2. */
export const autoscale: Command = {
  flags: {
    ...MAKE_FLAGS,
    min: { type: 'string' },
    max: { type: 'string' },
    cpu: { type: 'string' },
    memory: { type: 'string' },
    'cpu-percent': { type: 'string' },
    name: { type: 'string' },
    ...FILE_FLAGS,
  },
  async run(context) {
    const { flags } = context;
    const [min, max] = [flags.number('min') ?? -1, flags.number('max')];
    if (max === undefined) throw new KubectlError('error: required flag(s) "max" not set');
    if (max < 1) throw new KubectlError(`error: --max=MAXPODS is required and must be at least 1, max: ${max}`);
    if (max < min) throw new KubectlError(`error: --max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
    if (flags.string('cpu-percent') !== undefined)
      context.warn(
        "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).",
      );
    const targets = flags.list('filename').length
      ? (await fileObjects(context)).map(({ resource, object }) => ({ resource, name: object.metadata.name }))
      : await namedObjects(context.client, context.args);
    for (const { resource, name } of targets) {
      if (name === undefined) throw new KubectlError('error: resource(s) were provided, but no name was specified');
      if (!SCALABLE.has(resource.kind))
        throw new KubectlError(
          `error: cannot autoscale a ${resource.kind}: could not find scale subresource for ${resource.group}/${resource.version}, Resource=${resource.resource} in discovery information`,
        );
      await context.client.resource(resource).get(placeOf(context, resource, name));
      const scaleTargetRef = { apiVersion: apiVersionOf(resource), kind: resource.kind, name };
      const object = { ...autoscalerFor(context, { min, max }), metadata: { name: flags.string('name') ?? name } };
      const spec = { ...object.spec, scaleTargetRef };
      await makeObject(context, {
        resource: horizontalpodautoscalers,
        object: (dryRunOf(context) === 'client'
          ? { ...object, spec, status: { currentMetrics: null, desiredReplicas: 0 } }
          : { ...object, metadata: { ...object.metadata, namespace: context.namespace }, spec }) as HorizontalPodAutoscaler,
        fieldManager: 'kubectl-autoscale',
        verb: flags.string('dry-run') ? 'created' : 'autoscaled',
      });
    }
  },
};

function autoscalerFor(
  { flags }: CommandContext,
  { min, max }: { min: number; max: number },
): { apiVersion: string; kind: string; spec: object } {
  const percent = flags.string('cpu-percent');
  const metrics = [
    ...metricOf('cpu', flags.string('cpu') ?? (percent === undefined ? undefined : `${percent}%`)),
    ...metricOf('memory', flags.string('memory')),
  ];
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    spec: { maxReplicas: max, ...(metrics.length ? { metrics } : {}), ...(min > 0 ? { minReplicas: min } : {}) },
  };
}

function metricOf(name: string, text: string | undefined): object[] {
  if (text === undefined) return [];
  const target = text.endsWith('%')
    ? { averageUtilization: Number(text.slice(0, -1)), type: 'Utilization' }
    : { averageValue: text, type: 'AverageValue' };
  return [{ resource: { name, target }, type: 'Resource' }];
}
