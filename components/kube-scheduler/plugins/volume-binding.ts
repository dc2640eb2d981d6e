import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../framework/events.ts';
import type { Handle, Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { Status } from '../framework/status.ts';
import { claimOfVolume, isClaimOfPod, notFound } from './helper/claims.ts';
import { bindPodVolumes } from './volumebinding/bind-pod-volumes.ts';
import { type PodVolumeClaims, type PodVolumes, VolumeBinder } from './volumebinding/binder.ts';
import { volumeBindingEvents } from './volumebinding/hints.ts';

const NAME = 'VolumeBinding';
const SKIP = new Status('Skip');

/** kubescheduler.config.k8s.io/v1 VolumeBindingArgs */
export interface VolumeBindingArgs {
  readonly bindTimeoutSeconds?: number;
}

type Assumed = ReturnType<VolumeBinder['assumePodVolumes']>;

class VolumeState implements StateData {
  readonly claims: PodVolumeClaims;
  /** By node, what its volumes would be; filled by Filter. */
  readonly byNode = new Map<string, PodVolumes>();
  assumed: Assumed | undefined;

  constructor(claims: PodVolumeClaims) {
    this.claims = claims;
  }

  /** Nothing that other pods of a node do changes it. */
  clone(): VolumeState {
    return this;
  }
}

const STATE = new StateKey<VolumeState>(NAME);

/** Claims that are bound, or bound only when their first pod is scheduled: pkg/scheduler/framework/plugins/volumebinding VolumeBinding. */
export class VolumeBinding implements Plugin {
  readonly name = NAME;
  readonly #handle: Handle;
  readonly #binder: VolumeBinder;
  readonly #timeoutMs: number;

  constructor(args: VolumeBindingArgs = {}, handle: Handle) {
    this.#handle = handle;
    this.#timeoutMs = (args.bindTimeoutSeconds ?? 600) * 1000;
    this.#binder = new VolumeBinder(handle.listers);
  }

  preFilter(state: CycleState, pod: Pod): { status?: Status } {
    const volumes = pod.spec?.volumes;
    if (!volumes?.some((volume) => claimOfVolume(pod, volume))) return { status: SKIP };
    const refusal = this.#whyNotUsable(pod);
    if (refusal) return { status: new Status('UnschedulableAndUnresolvable', [refusal], NAME) };
    const claims = this.#binder.getPodVolumeClaims(pod);
    if (claims.unboundImmediate.length) {
      return { status: new Status('UnschedulableAndUnresolvable', ['pod has unbound immediate PersistentVolumeClaims'], NAME) };
    }
    state.write(STATE, new VolumeState(claims));
    return {};
  }

  /** VolumeBinding.podHasPVCs: the first claim that cannot be used. */
  #whyNotUsable(pod: Pod): string | undefined {
    for (const volume of pod.spec?.volumes ?? []) {
      const claimed = claimOfVolume(pod, volume);
      if (!claimed) continue;
      const { name, isEphemeral } = claimed;
      const claim = this.#handle.listers.persistentVolumeClaims.get(`${pod.metadata.namespace}/${name}`);
      if (!claim)
        return isEphemeral ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"` : notFound(name);
      if (claim.status?.phase === 'Lost')
        return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName}"`;
      if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${name}" is being deleted`;
      if (isEphemeral && !isClaimOfPod(pod, claim))
        return `PVC "${keyOf(claim)}" was not created for pod "${keyOf(pod)}" (pod is not owner)`;
    }
    return undefined;
  }

  filter(state: CycleState, _pod: Pod, { node, name }: NodeInfo): Status | undefined {
    const data = state.read(STATE);
    if (!data || !node) return undefined;
    const found = this.#binder.findPodVolumes(data.claims, node);
    if (!('staticBindings' in found)) return new Status('UnschedulableAndUnresolvable', found, NAME);
    data.byNode.set(name, found);
    return undefined;
  }

  reserve(state: CycleState, _pod: Pod, nodeName: string): Status | undefined {
    const data = state.read(STATE);
    const volumes = data?.byNode.get(nodeName);
    if (data && volumes) data.assumed = this.#binder.assumePodVolumes(volumes, nodeName);
    return undefined;
  }

  unreserve(state: CycleState, _pod: Pod, nodeName: string): void {
    const volumes = state.read(STATE)?.byNode.get(nodeName);
    if (volumes) this.#binder.revertAssumedPodVolumes(volumes);
  }

  preBindPreFlight(state: CycleState): Status | undefined {
    const assumed = state.read(STATE)?.assumed;
    return assumed && assumed.volumes.length + assumed.claims.length > 0 ? undefined : SKIP;
  }

  async preBind(state: CycleState, pod: Pod, nodeName: string): Promise<Status | undefined> {
    const data = state.read(STATE);
    if (!data?.assumed) return undefined;
    const allClaims = data.claims.unboundDelayBinding.map(keyOf);
    const timeoutMs = this.#timeoutMs;
    const error = await bindPodVolumes(this.#handle, this.#binder, { ...data.assumed, allClaims, pod, nodeName, timeoutMs });
    return error === undefined ? undefined : new Status('Error', [error], NAME);
  }

  /** What was kept for the pod on its node. */
  assumedVolumes(state: CycleState): Assumed | undefined {
    return state.read(STATE)?.assumed;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return volumeBindingEvents();
  }
}
