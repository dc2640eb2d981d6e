import type { PluginFactory } from '../framework/interface.ts';
import { DefaultBinder } from './default-binder.ts';
import { ImageLocality } from './image-locality.ts';
import { NodeAffinity, type NodeAffinityArgs } from './node-affinity.ts';
import { NodeName } from './node-name.ts';
import { NodePorts } from './node-ports.ts';
import { NodeResourcesBalancedAllocation, type NodeResourcesBalancedAllocationArgs } from './node-resources-balanced-allocation.ts';
import { NodeResourcesFit, type NodeResourcesFitArgs } from './node-resources-fit.ts';
import { NodeUnschedulable } from './node-unschedulable.ts';
import { PrioritySort } from './priority-sort.ts';
import { SchedulingGates } from './scheduling-gates.ts';
import { TaintToleration } from './taint-toleration.ts';

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
    ['ImageLocality', (_args, handle) => new ImageLocality(handle)],
    ['DefaultBinder', (_args, handle) => new DefaultBinder(handle)],
  ]);
}
