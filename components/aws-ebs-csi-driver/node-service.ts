import { type CsiNode, PLUGINS_PATH, PLUGINS_REGISTRY_PATH, type PluginRegistration } from '../../src/api/csi.ts';
import { RpcError } from '../../src/api/rpc-error.ts';
import type { UnixSockets } from '../../src/api/unix-sockets.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { DRIVER_NAME } from './manifests.ts';
import type { MountedVolumes } from './mounted-volumes.ts';
import { segmentsOf } from './topology.ts';

/** What a node finds out about itself: from the metadata of its instance. */
export interface InstanceMetadata {
  readonly instanceId: string;
  readonly availabilityZone: string;
  readonly hypervisor: 'nitro' | 'xen';
  /** How many network interfaces are attached. */
  readonly interfaces: number;
}

export interface EbsNodeConfig {
  readonly metadata: InstanceMetadata;
  readonly sockets: UnixSockets<Actor>;
  /** Those of the machine: they outlive the driver. */
  readonly mounted: MountedVolumes;
  /** The disk of a volume that is attached to the machine. */
  readonly device: (volumeId: string) => Map<string, string> | undefined;
}

/** What a Nitro instance can attach in all, interfaces and volumes together; and volumes of the older ones. */
const NITRO_ATTACHMENTS = 28;
const XEN_VOLUMES = 39;
/** The one that it has started from. */
const ROOT_VOLUMES = 1;

/** The driver on one node, and the registrar beside it: pkg/driver NodeService. */
export function runEbsNode({ actor, config }: { readonly actor: Actor; readonly config: EbsNodeConfig }): void {
  const { sockets } = config;
  const endpoint = `${PLUGINS_PATH}${DRIVER_NAME}/csi.sock`;
  sockets.listen<CsiNode>(endpoint, { process: actor, service: nodeService(actor, config) });
  const service: PluginRegistration = { getInfo: () => ({ type: 'CSIPlugin', name: DRIVER_NAME, endpoint }) };
  sockets.listen<PluginRegistration>(`${PLUGINS_REGISTRY_PATH}${DRIVER_NAME}-reg.sock`, { process: actor, service });
}

function nodeService(actor: Actor, { metadata, mounted, device }: EbsNodeConfig): CsiNode {
  const note = (call: string, details: object): void =>
    void actor.simulation.trace.record({ kind: 'runtime', what: 'csi', message: `${DRIVER_NAME} is asked: ${call}`, details });
  const deviceOf = (volumeId: string): Map<string, string> => {
    const found = device(volumeId);
    if (!found)
      throw new RpcError(
        'NotFound',
        `Failed to find device path /dev/xvdaa. no device path for device "/dev/xvdaa" volume "${volumeId}" found`,
      );
    return found;
  };
  return {
    nodeGetInfo: () => ({
      nodeId: metadata.instanceId,
      maxVolumesPerNode: volumeLimit(metadata),
      accessibleTopology: { segments: segmentsOf(metadata.availabilityZone) },
    }),
    nodeStageVolume: (request) => {
      note('NodeStageVolume', request);
      mounted.mount(request.volumeId, request.stagingTargetPath, deviceOf(request.volumeId));
    },
    nodeUnstageVolume: (request) => {
      note('NodeUnstageVolume', request);
      const disk = device(request.volumeId);
      if (disk) mounted.unmount(request.volumeId, disk);
    },
    nodePublishVolume: (request) => {
      note('NodePublishVolume', request);
      deviceOf(request.volumeId);
    },
    nodeUnpublishVolume: (request) => note('NodeUnpublishVolume', request),
    nodeExpandVolume: (request) => {
      note('NodeExpandVolume', request);
      deviceOf(request.volumeId);
    },
  };
}

/** pkg/driver NodeService.getVolumesLimit */
function volumeLimit({ hypervisor, interfaces }: InstanceMetadata): number {
  return hypervisor === 'nitro' ? NITRO_ATTACHMENTS - interfaces - ROOT_VOLUMES : XEN_VOLUMES - ROOT_VOLUMES;
}
