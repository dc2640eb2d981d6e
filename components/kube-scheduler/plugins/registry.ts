import type { PluginFactory } from '../framework/interface.ts';
import { DefaultBinder } from './default-binder.ts';
import { DefaultPreemption, type DefaultPreemptionArgs } from './default-preemption.ts';
import { DynamicResources } from './dynamic-resources.ts';
import { ImageLocality } from './image-locality.ts';
import { InterPodAffinity, type InterPodAffinityArgs } from './inter-pod-affinity.ts';
import { NodeAffinity, type NodeAffinityArgs } from './node-affinity.ts';
import { NodeName } from './node-name.ts';
import { NodePorts } from './node-ports.ts';
import { NodeResourcesBalancedAllocation, type NodeResourcesBalancedAllocationArgs } from './node-resources-balanced-allocation.ts';
import { NodeResourcesFit, type NodeResourcesFitArgs } from './node-resources-fit.ts';
import { NodeUnschedulable } from './node-unschedulable.ts';
import { NodeVolumeLimits } from './node-volume-limits.ts';
import { PodTopologySpread, type PodTopologySpreadArgs } from './pod-topology-spread.ts';
import { PrioritySort } from './priority-sort.ts';
import { SchedulingGates } from './scheduling-gates.ts';
import { TaintToleration } from './taint-toleration.ts';
import { VolumeBinding, type VolumeBindingArgs } from './volume-binding.ts';
import { VolumeRestrictions } from './volume-restrictions.ts';
import { VolumeZone } from './volume-zone.ts';

/** All plugins by name: pkg/scheduler/framework/plugins/registry.go NewInTreeRegistry. */
export function newInTreeRegistry(): ReadonlyMap<string, PluginFactory> {
  return new Map<string, PluginFactory>([
    ['SchedulingGates', () => new SchedulingGates()],
    ['PrioritySort', () => new PrioritySort()],
    ['NodeUnschedulable', () => new NodeUnschedulable()],
    ['NodeName', () => new NodeName()],
    ['TaintToleration', () => new TaintToleration()],
    ['NodeAffinity', (args) => new NodeAffinity(args as NodeAffinityArgs)],
    ['NodePorts', () => new NodePorts()],
    ['NodeResourcesFit', (args) => new NodeResourcesFit(args as NodeResourcesFitArgs)],
    ['NodeResourcesBalancedAllocation', (args) => new NodeResourcesBalancedAllocation(args as NodeResourcesBalancedAllocationArgs)],
    ['VolumeRestrictions', (_args, handle) => new VolumeRestrictions(handle)],
    ['NodeVolumeLimits', (_args, handle) => new NodeVolumeLimits(handle)],
    ['VolumeBinding', (args, handle) => new VolumeBinding(args as VolumeBindingArgs, handle)],
    ['VolumeZone', (_args, handle) => new VolumeZone(handle)],
    ['PodTopologySpread', (args, handle) => new PodTopologySpread(args as PodTopologySpreadArgs, handle)],
    ['InterPodAffinity', (args, handle) => new InterPodAffinity(args as InterPodAffinityArgs, handle)],
    ['DynamicResources', (_args, handle) => new DynamicResources(handle)],
    ['DefaultPreemption', (args, handle) => new DefaultPreemption(args as DefaultPreemptionArgs, handle)],
    ['ImageLocality', (_args, handle) => new ImageLocality(handle)],
    ['DefaultBinder', (_args, handle) => new DefaultBinder(handle)],
  ]);
}
