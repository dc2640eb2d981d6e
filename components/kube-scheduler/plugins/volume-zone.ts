import type { PersistentVolume, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../../src/api/kinds/storage-v1.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Handle, Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { podInfoOf } from '../framework/pod-info.ts';
import { Status } from '../framework/status.ts';
import { classOfClaim, notFound } from './helper/claims.ts';

const NAME = 'VolumeZone';
const SKIP = new Status('Skip');
const CONFLICT = new Status('UnschedulableAndUnresolvable', ['node(s) had no available volume zone'], NAME);

/** Labels of volumes and nodes that say where they are; the older names stand for the newer ones. */
const GA_LABELS: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region': 'topology.kubernetes.io/region',
};
const TOPOLOGY_LABELS = Object.keys(GA_LABELS);

interface Topology {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

interface PreFilterState extends StateData {
  readonly topologies: readonly Topology[];
}

const PRE_FILTER = new StateKey<PreFilterState>(`PreFilter${NAME}`);

/** A volume that is in a zone keeps its pods there: pkg/scheduler/framework/plugins/volumezone VolumeZone. */
export class VolumeZone implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'listers'>;

  constructor(handle: Pick<Handle, 'listers'>) {
    this.#handle = handle;
  }

  preFilter(state: CycleState, pod: Pod): { status?: Status } {
    const topologies = this.#topologiesOf(pod);
    if (topologies instanceof Status) return { status: topologies };
    if (topologies.length === 0) return { status: SKIP };
    const data: PreFilterState = { topologies, clone: () => data };
    state.write(PRE_FILTER, data);
    return {};
  }

  filter(state: CycleState, _pod: Pod, { node }: NodeInfo): Status | undefined {
    const labels = node?.metadata.labels ?? {};
    if (!TOPOLOGY_LABELS.some((key) => labels[key] !== undefined)) return undefined;
    for (const { key, values } of state.read(PRE_FILTER)?.topologies ?? []) {
      const value = labels[key] ?? labels[GA_LABELS[key] ?? ''];
      if (value === undefined || !values.has(value)) return CONFLICT;
    }
    return undefined;
  }

  /** VolumeZone.getPVbyPod. A claim that waits for its first consumer has no place yet. */
  #topologiesOf(pod: Pod): readonly Topology[] | Status {
    const { persistentVolumeClaims, persistentVolumes, storageClasses } = this.#handle.listers;
    const topologies: Topology[] = [];
    for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
      if (!persistentVolumeClaim) continue;
      const claim = persistentVolumeClaims.get(`${pod.metadata.namespace}/${persistentVolumeClaim.claimName}`);
      if (!claim) return refuse(notFound(persistentVolumeClaim.claimName));
      const volumeName = claim.spec?.volumeName;
      if (!volumeName) {
        const className = classOfClaim(claim);
        if (!className) return refuse('PersistentVolumeClaim had no pv name and storageClass name');
        if (storageClasses.get(className)?.volumeBindingMode === 'WaitForFirstConsumer') continue;
        return refuse('PersistentVolume had no name');
      }
      const volume = persistentVolumes.get(volumeName);
      if (!volume) return refuse(`persistentvolume "${volumeName}" not found`);
      topologies.push(...topologiesOf(volume));
    }
    return topologies;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const ownClaim = (pod: Pod, claim: { metadata: { namespace?: string; name?: string } } | undefined): boolean =>
      podInfoOf(pod).claims.includes(`${claim?.metadata.namespace}/${claim?.metadata.name}`);
    return [
      {
        event: { resource: 'StorageClass', actionType: ActionType.Add },
        hint: (_pod, _before, after) => (after as StorageClass | undefined)?.volumeBindingMode === 'WaitForFirstConsumer',
      },
      { event: { resource: 'Node', actionType: ActionType.Add | ActionType.UpdateNodeLabel } },
      {
        event: { resource: 'PersistentVolumeClaim', actionType: ActionType.Add | ActionType.Update },
        hint: (pod, _before, after) => ownClaim(pod, after),
      },
      {
        event: { resource: 'PersistentVolume', actionType: ActionType.Add | ActionType.Update },
        hint: (_pod, before, after) => !before || labelText(before as PersistentVolume) !== labelText(after as PersistentVolume),
      },
    ];
  }
}

function topologiesOf(volume: PersistentVolume): Topology[] {
  return TOPOLOGY_LABELS.flatMap((key) => {
    const text = volume.metadata.labels?.[key];
    return text === undefined ? [] : [{ key, values: new Set(text.split('__')) }];
  });
}

function labelText(volume: PersistentVolume): string {
  return TOPOLOGY_LABELS.map((key) => volume.metadata.labels?.[key] ?? '').join('\n');
}

function refuse(reason: string): Status {
  return new Status('UnschedulableAndUnresolvable', [reason], NAME);
}
