import { base64ToBytes } from '../../../src/api/base64.ts';
import type { CsiController, CsiSnapshot } from '../../../src/api/csi.ts';
import { secrets } from '../../../src/api/resources.ts';
import type { SocketServer } from '../../../src/api/unix-sockets.ts';
import type { Client } from '../../../src/client/client.ts';
import { callRpc } from '../../../src/client/rpc.ts';
import type { VolumeSnapshotClass, VolumeSnapshotContent } from '../../../src/client/volume-snapshot.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import { driverParameters } from '../class-parameters.ts';
import { DELETION_SECRET } from '../names.ts';
import { isRefusal, messageOf, quoted, SnapshotProblem } from '../snapshot-problem.ts';

type Secrets = Readonly<Record<string, string>>;

interface CsiHandlerOptions {
  readonly actor: Actor;
  readonly client: Client;
  readonly socket: () => SocketServer<Actor, CsiController> | undefined;
}

/** Asks the driver: external-snapshotter pkg/sidecar-controller csiHandler, pkg/snapshotter. */
export class CsiHandler {
  readonly #options: CsiHandlerOptions;

  constructor(options: CsiHandlerOptions) {
    this.#options = options;
  }

  /** @throws RpcError when the driver refuses, SnapshotProblem when it is not asked at all */
  async createSnapshot({ metadata, spec }: VolumeSnapshotContent, snapshotClass: VolumeSnapshotClass): Promise<CsiSnapshot> {
    const { uid } = spec.volumeSnapshotRef;
    if (!uid) throw new SnapshotProblem(`cannot create snapshot. Snapshot content ${metadata.name} not bound to a snapshot`);
    const parameters = driverParameters(snapshotClass.parameters);
    const request = {
      name: `snapshot-${uid}`,
      sourceVolumeId: spec.source.volumeHandle ?? '',
      ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
      ...(await this.#secretsOf(metadata)),
    };
    return this.#call((driver) => driver.createSnapshot(request));
  }

  /** @throws RpcError when the driver refuses */
  async deleteSnapshot({ metadata, spec, status }: VolumeSnapshotContent): Promise<void> {
    const snapshotId = status?.snapshotHandle ?? spec.source.snapshotHandle ?? '';
    const credentials = await this.#secretsOf(metadata);
    await this.#call((driver) => driver.deleteSnapshot({ snapshotId, ...credentials }));
  }

  /** What the driver knows of a snapshot that somebody else has taken. @throws SnapshotProblem when it does not know it */
  async snapshotStatus({ metadata, spec }: VolumeSnapshotContent): Promise<CsiSnapshot> {
    const snapshotId = spec.source.snapshotHandle ?? '';
    try {
      const [found] = await this.#call((driver) => driver.listSnapshots({ snapshotId }));
      if (found) return found;
      throw new SnapshotProblem(`can not find snapshot for snapshotID ${snapshotId}`);
    } catch (error) {
      throw new SnapshotProblem(`failed to list snapshot for content ${metadata.name}: ${quoted(messageOf(error))}`, { cause: error });
    }
  }

  /** pkg/sidecar-controller GetCredentialsFromAnnotation */
  async #secretsOf({ name: content, annotations = {} }: VolumeSnapshotContent['metadata']): Promise<{ readonly secrets?: Secrets }> {
    const { [DELETION_SECRET.name]: name, [DELETION_SECRET.namespace]: namespace } = annotations;
    if (name === undefined || namespace === undefined) return {};
    if (!name || !namespace)
      throw new SnapshotProblem(
        `cannot retrieve secrets for snapshot content ${quoted(content ?? '')}, err: secret name or namespace not specified`,
      );
    try {
      const { data = {} } = await this.#options.client.resource(secrets).get({ namespace, name });
      const decoded = Object.entries(data).map(([key, value]) => [key, new TextDecoder().decode(base64ToBytes(value))]);
      return { secrets: Object.fromEntries(decoded) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      throw new SnapshotProblem(`cannot get credentials for snapshot content ${quoted(content ?? '')}`, { cause: error });
    }
  }

  #call<T>(ask: (driver: CsiController) => T | Promise<T>): Promise<T> {
    return callRpc(this.#options.actor, this.#options.socket(), ask);
  }
}
