import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Plugin } from '../framework/interface.ts';
import { Status } from '../framework/status.ts';

const NAME = 'SchedulingGates';

/** A pod with gates does not enter the queue: pkg/scheduler/framework/plugins/schedulinggates SchedulingGates. */
export class SchedulingGates implements Plugin {
  readonly name = NAME;

  preEnqueue(pod: Pod): Status | undefined {
    const gates = pod.spec?.schedulingGates ?? [];
    if (gates.length === 0) return undefined;
    const names = gates.map((gate) => gate.name).join(' ');
    return new Status('UnschedulableAndUnresolvable', [`waiting for scheduling gates: [${names}]`], NAME);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      {
        event: { resource: 'UnschedulablePod', actionType: ActionType.UpdatePodSchedulingGatesEliminated },
        hint: (pod, _before, after) => after?.metadata.uid === pod.metadata.uid && !(after as Pod).spec?.schedulingGates?.length,
      },
    ];
  }
}
