import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { pods } from '../../../src/api/resources.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { Handle, Plugin } from '../framework/interface.ts';
import { asStatus, type Status } from '../framework/status.ts';

/** Tells the API where the pod goes: pkg/scheduler/framework/plugins/defaultbinder DefaultBinder. */
export class DefaultBinder implements Plugin {
  readonly name = 'DefaultBinder';
  readonly #handle: Pick<Handle, 'client'>;

  constructor(handle: Pick<Handle, 'client'>) {
    this.#handle = handle;
  }

  async bind(_state: CycleState, pod: Pod, nodeName: string): Promise<Status | undefined> {
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target: { kind: 'Node', name: nodeName } };
    try {
      await this.#handle.client.resource(pods).createSubresource({ namespace, name }, 'binding', binding);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
      return asStatus(error, this.name);
    }
  }
}
