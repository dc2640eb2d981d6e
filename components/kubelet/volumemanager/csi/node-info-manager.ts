import type { NodeInfo } from '../../../../src/api/csi.ts';
import type { Node } from '../../../../src/api/kinds/core-v1.ts';
import type { CSINode, CSINodeDriver } from '../../../../src/api/kinds/storage-v1.ts';
import { csinodes, nodes } from '../../../../src/api/resources.ts';
import { isAlreadyExists, isNotFound } from '../../../../src/api/status-error.ts';
import type { Client } from '../../../../src/client/client.ts';
import { retryOnConflict } from '../../../../src/client/retry.ts';

const NODE_ID = 'csi.volume.kubernetes.io/nodeid';
const MIGRATED = 'storage.alpha.kubernetes.io/migrated-plugins';
/** Drivers of the tree that are CSI drivers now: pkg/volume/csimigration */
const MIGRATED_PLUGINS = ['aws-ebs', 'azure-disk', 'azure-file', 'cinder', 'gce-pd', 'portworx-volume', 'vsphere-volume'];

/** Says in Node and CSINode which drivers there are on the node. pkg/volume/csi/nodeinfomanager nodeInfoManager */
export class NodeInfoManager {
  readonly #client: Client;
  readonly #node: () => Node | undefined;

  constructor(client: Client, node: () => Node | undefined) {
    this.#client = client;
    this.#node = node;
  }

  /** nodeinfomanager.go CreateCSINode */
  async createCsiNode(): Promise<void> {
    const { name = '', uid = '' } = this.#node()?.metadata ?? {};
    const annotations = { [MIGRATED]: MIGRATED_PLUGINS.map((plugin) => `kubernetes.io/${plugin}`).join(',') };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
    try {
      await this.#client.resource(csinodes).create({ metadata: { name, annotations, ownerReferences }, spec: { drivers: [] } });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** nodeinfomanager.go InstallCSIDriver */
  async installCsiDriver(driver: string, info: NodeInfo): Promise<void> {
    const segments = info.accessibleTopology?.segments ?? {};
    await this.#updateNode({ ...this.#nodeIds(), [driver]: info.nodeId }, segments);
    const topologyKeys = Object.keys(segments).sort();
    const entry: CSINodeDriver = {
      name: driver,
      nodeID: info.nodeId,
      ...(topologyKeys.length > 0 ? { topologyKeys } : {}),
      ...(info.maxVolumesPerNode ? { allocatable: { count: info.maxVolumesPerNode } } : {}),
    };
    await this.#updateCsiNode((drivers) => [...drivers.filter(({ name }) => name !== driver), entry]);
  }

  /** nodeinfomanager.go UninstallCSIDriver */
  async uninstallCsiDriver(driver: string): Promise<void> {
    await this.#updateCsiNode((drivers) => drivers.filter(({ name }) => name !== driver));
    const { [driver]: _, ...rest } = this.#nodeIds();
    await this.#updateNode(rest, {});
  }

  #nodeIds(): Record<string, string> {
    const text = this.#node()?.metadata.annotations?.[NODE_ID];
    return text ? (JSON.parse(text) as Record<string, string>) : {};
  }

  async #updateNode(ids: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): Promise<void> {
    const annotation = Object.keys(ids).length > 0 ? JSON.stringify(ids) : null;
    const metadata = { annotations: { [NODE_ID]: annotation }, ...(Object.keys(labels).length > 0 ? { labels } : {}) };
    const { name = '' } = this.#node()?.metadata ?? {};
    await this.#client.resource(nodes).patch({ name }, { metadata }, { type: 'strategic', subresource: 'status' });
  }

  async #updateCsiNode(change: (drivers: readonly CSINodeDriver[]) => CSINodeDriver[]): Promise<void> {
    const { name = '' } = this.#node()?.metadata ?? {};
    const client = this.#client.resource(csinodes);
    await retryOnConflict({ actor: this.#client.actor }, async () => {
      let csiNode: CSINode;
      try {
        csiNode = await client.get({ name });
      } catch (error) {
        if (!isNotFound(error)) throw error;
        await this.createCsiNode();
        csiNode = await client.get({ name });
      }
      await client.update({ ...csiNode, spec: { ...csiNode.spec, drivers: change(csiNode.spec.drivers ?? []) } });
    });
  }
}
