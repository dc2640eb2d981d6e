import type { ContainerRuntimeInterface, Mount } from '../../../src/api/cri.ts';
import type { Container, Pod, Volume } from '../../../src/api/kinds/core-v1.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Actor, Timer } from '../../../src/sim/actor.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { VOLUME_MOUNT_TIMEOUT_MS, VOLUME_REFRESH_MS, VOLUME_RETRY_MAX_MS, VOLUME_RETRY_MS, VOLUME_WAIT_POLL_MS } from '../constants.ts';
import { expand } from '../environment.ts';
import { SyncPodError } from '../kuberuntime/start-error.ts';
import { hostsFileContent } from '../network/hosts-file.ts';
import type { SyncContext } from '../sync-context.ts';
import type { CsiVolumes } from './csi/csi-volumes.ts';
import type { NodeExpansion } from './csi/node-expansion.ts';
import type { VolumeContents } from './volume-contents.ts';

interface VolumeManagerParts {
  readonly actor: Actor;
  readonly runtime: ContainerRuntimeInterface;
  readonly recorder: EventRecorder;
  readonly contents: VolumeContents;
  readonly csi: CsiVolumes;
  readonly expansion: NodeExpansion;
}

/** What is known of a container that is about to start. */
interface Known {
  readonly envs: readonly { readonly key: string; readonly value: string }[];
  readonly podIps: readonly string[];
}

const HOSTS_FILE = '/etc/hosts';

type Mounts = readonly Mount[] | { readonly error: string };

/** The volumes of one pod on this node. */
interface MountedPod {
  pod: Pod;
  /** Volume name to the directory or file on the node. */
  readonly paths: Map<string, string>;
  /** Volumes that are being set up, or will be tried again after a while. */
  readonly underway: Set<string>;
  /** Who waits is told of each volume that is there. */
  onMounted: () => void;
}

/** pkg/kubelet/volumemanager volumeManager: the volumes of a pod are there before its containers start. */
export class VolumeManager {
  readonly #parts: VolumeManagerParts;
  readonly #pods = new Map<string, MountedPod>();
  #refreshing = false;

  constructor(parts: VolumeManagerParts) {
    this.#parts = parts;
  }

  /** pkg/kubelet/volumemanager WaitForAttachAndMount. @throws SyncPodError after the timeout, or when a volume makes no sense; SyncCanceled */
  async waitForAttachAndMount(pod: Pod, context: SyncContext): Promise<void> {
    const volumes = pod.spec?.volumes ?? [];
    if (volumes.length === 0) return;
    const uid = pod.metadata.uid ?? '';
    const mounted: MountedPod = this.#pods.get(uid) ?? { pod, paths: new Map(), underway: new Set(), onMounted: nobodyWaits };
    mounted.pod = pod;
    this.#pods.set(uid, mounted);
    const begun = volumes.filter(({ name }) => !mounted.paths.has(name) && !mounted.underway.has(name));
    if (begun.length > 0) {
      const unprocessed = await context.wait(Promise.all(begun.map((volume) => this.#mount(mounted, volume, VOLUME_RETRY_MS))));
      if (unprocessed.some((why) => why !== undefined)) throw this.#unprocessed(mounted, begun, unprocessed);
    }
    await this.#waitForMounts(mounted, context);
    await this.#parts.expansion.check(pod);
    if (volumes.some(changes)) this.#refreshLater();
  }

  /** Where the volumes of a container are mounted, or what is missing for that: pkg/kubelet/kubelet_pods.go makeMounts. */
  mountsOf(pod: Pod, container: Container, { envs, podIps }: Known): Mounts {
    const uid = pod.metadata.uid ?? '';
    const paths = this.#pods.get(uid)?.paths;
    const values = new Map(envs.map(({ key, value }) => [key, value]));
    const mounts: Mount[] = [];
    for (const [index, { name, mountPath, subPath = '', subPathExpr, readOnly = false }] of (container.volumeMounts ?? []).entries()) {
      const path = paths?.get(name);
      if (path === undefined) continue;
      const unknown = subPathExpr && [...subPathExpr.matchAll(/\$\(([^)]*)\)/g)].find(([, variable = '']) => !values.has(variable))?.[1];
      if (unknown) return { error: `missing value for ${JSON.stringify(unknown)}` };
      const below = subPathExpr ? expand(subPathExpr, values) : subPath;
      const ofApi = isOfApi(pod, name);
      const copy = `${podDirectory(uid)}/volume-subpaths/${name}/${container.name}/${index}`;
      const hostPath = !below ? path : ofApi ? this.#copy(`${path}/${below}`, copy) : `${path}/${below}`;
      if (below && this.#parts.runtime.files.readFile(hostPath) === undefined) this.#parts.runtime.files.makeDirectory(hostPath);
      mounts.push({ containerPath: mountPath, hostPath, readOnly: readOnly || ofApi });
    }
    if (!mounts.some(({ containerPath }) => containerPath === HOSTS_FILE)) mounts.push(this.#hostsFile(pod, podIps));
    return mounts;
  }

  /** pkg/kubelet/kubelet_pods.go makeHostsMount */
  #hostsFile(pod: Pod, podIps: readonly string[]): Mount {
    const { files } = this.#parts.runtime;
    const hostPath = `${podDirectory(pod.metadata.uid ?? '')}/etc-hosts`;
    files.writeFile(hostPath, hostsFileContent(pod, { podIps, ofNode: files.readFile(HOSTS_FILE) ?? '127.0.0.1\tlocalhost\n' }));
    return { containerPath: HOSTS_FILE, hostPath, readOnly: false };
  }

  /** A part of a volume is mounted as it is when the container starts: what becomes of the volume later does not reach it. */
  #copy(from: string, to: string): string {
    const { files } = this.#parts.runtime;
    const text = files.readFile(from);
    files.remove(to);
    if (text !== undefined) files.writeFile(to, text);
    else for (const name of files.list(from)) this.#copy(`${from}/${name}`, `${to}/${name}`);
    return to;
  }

  /** Waits until nothing of the pod is mounted, and removes its directories: pkg/kubelet/volumemanager WaitForUnmount. */
  async waitForUnmount(pod: Pod): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    await this.#parts.csi.tearDown(uid);
    this.forget(uid);
    if ((pod.spec?.volumes?.length ?? 0) > 0) await this.#parts.actor.sleep(VOLUME_WAIT_POLL_MS);
  }

  forget(uid: string): void {
    this.#pods.delete(uid);
    this.#parts.runtime.files.remove(podDirectory(uid));
  }

  /** One round for all pods of the node, for as long as some have volumes that can change. */
  #refreshLater(): void {
    if (this.#refreshing) return;
    this.#refreshing = true;
    const { actor } = this.#parts;
    actor.schedule(VOLUME_REFRESH_MS, () => this.#refresh(), { priority: 'background', label: `${actor.name} volumes` });
  }

  async #refresh(): Promise<void> {
    this.#refreshing = false;
    let more = false;
    for (const { pod, paths } of [...this.#pods.values()]) {
      const volumes = (pod.spec?.volumes ?? []).filter((volume) => changes(volume) && paths.has(volume.name));
      if (volumes.length === 0) continue;
      more = true;
      for (const volume of volumes) if (!volume.persistentVolumeClaim) await this.#update(pod, volume);
      if (volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim)) await this.#tryAgain(() => this.#parts.expansion.check(pod));
    }
    if (more) this.#refreshLater();
  }

  /** Writes what is new, removes what is gone. */
  async #update(pod: Pod, volume: Volume): Promise<void> {
    const { contents, runtime } = this.#parts;
    const result = await this.#tryAgain(() => contents.setUp(pod, volume, podDirectory(pod.metadata.uid ?? '')));
    if (!result || !('path' in result) || !this.#pods.has(pod.metadata.uid ?? '')) return;
    const files = result.files ?? {};
    for (const name of runtime.files.list(result.path))
      if (!(name in files) && !Object.keys(files).some((path) => path.startsWith(`${name}/`)))
        runtime.files.remove(`${result.path}/${name}`);
    for (const [name, text] of Object.entries(files)) {
      const path = `${result.path}/${name}`;
      if (runtime.files.readFile(path) !== text) runtime.files.writeFile(path, text);
    }
  }

  /** Nothing when kube-apiserver cannot be asked: the next round is soon enough. */
  async #tryAgain<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ApiStatusError || error instanceof ActorUnavailable) return undefined;
      throw error;
    }
  }

  /**
   * Sets a volume up, and tries again by itself as long as that fails: pkg/kubelet/volumemanager/reconciler, pkg/util/goroutinemap/exponentialbackoff.
   * Resolves after the first try; with the reason when it cannot be said what the volume is.
   */
  async #mount(mounted: MountedPod, volume: Volume, delayMs: number): Promise<string | undefined> {
    const { actor, contents, recorder, runtime } = this.#parts;
    const { pod, paths, underway } = mounted;
    const uid = pod.metadata.uid ?? '';
    underway.add(volume.name);
    const result = (await this.#tryAgain(() => contents.setUp(pod, volume, podDirectory(uid)))) ?? {};
    if (this.#pods.get(uid) !== mounted) return undefined;
    if ('path' in result) {
      for (const [name, text] of Object.entries(result.files ?? {})) runtime.files.writeFile(`${result.path}/${name}`, text);
      if (result.directory !== false) runtime.files.makeDirectory(result.path);
      paths.set(volume.name, result.path);
    }
    if ('path' in result || 'unprocessed' in result) {
      underway.delete(volume.name);
      mounted.onMounted();
      return 'unprocessed' in result ? result.unprocessed : undefined;
    }
    if (result.problem) {
      const { problem, of = volume.name, operation = 'MountVolume.SetUp' } = result;
      recorder.event(pod, 'Warning', 'FailedMount', `${operation} failed for volume "${of}" : ${problem}`);
    }
    const again = async (): Promise<void> => {
      if (this.#pods.get(uid) === mounted) await this.#mount(mounted, volume, Math.min(delayMs * 2, VOLUME_RETRY_MAX_MS));
    };
    // What fails may fail for ever. A volume that is only not there yet is on its way: a cluster comes to rest after it, if that does not take minutes.
    const patienceMs = result.problem ? VOLUME_RETRY_MS * 8 : VOLUME_RETRY_MS * 64;
    actor.schedule(delayMs, again, { priority: delayMs > patienceMs ? 'background' : 'work', label: `${actor.name} volumes` });
    return undefined;
  }

  /** @throws SyncPodError after the timeout, which nobody is told of */
  async #waitForMounts(mounted: MountedPod, context: SyncContext): Promise<void> {
    if (unmountedOf(mounted).length === 0) return;
    const { actor } = this.#parts;
    let timer: Timer | undefined;
    try {
      await context.wait(
        new Promise<void>((resolve) => {
          const finish = (): void => actor.simulation.resolve(resolve, undefined);
          timer = actor.schedule(VOLUME_MOUNT_TIMEOUT_MS, finish, { priority: 'background', label: `${actor.name} volumes` });
          mounted.onMounted = () => {
            if (unmountedOf(mounted).length === 0) finish();
          };
        }),
      );
    } finally {
      timer?.cancel();
      mounted.onMounted = nobodyWaits;
    }
    if (unmountedOf(mounted).length > 0)
      throw new SyncPodError(unmountedVolumes(mounted, { failed: [], why: 'context deadline exceeded' }), { slow: true });
  }

  #unprocessed(mounted: MountedPod, begun: readonly Volume[], reasons: readonly (string | undefined)[]): SyncPodError {
    const failed = begun.flatMap(({ name }, index) => (reasons[index] === undefined ? [] : [name])).sort();
    const message = unmountedVolumes(mounted, { failed, why: reasons.filter((reason) => reason !== undefined).join('; ') });
    this.#parts.recorder.event(mounted.pod, 'Warning', 'FailedMount', `Unable to attach or mount volumes: ${message}`);
    return new SyncPodError(message);
  }
}

const nobodyWaits = (): void => {};

function unmountedOf({ pod, paths }: MountedPod): readonly string[] {
  return (pod.spec?.volumes ?? []).flatMap(({ name }) => (paths.has(name) ? [] : [name])).sort();
}

function unmountedVolumes(mounted: MountedPod, { failed, why }: { readonly failed: readonly string[]; readonly why: string }): string {
  const unmounted = unmountedOf(mounted).join(' ');
  return `unmounted volumes=[${unmounted}], unattached volumes=[], failed to process volumes=[${failed.join(' ')}]: ${why}`;
}

/** It follows an object that may change: its files, or the size of a claim. The volume with the service account's token, which every pod has, does not count. */
function changes({ name, configMap, secret, projected, downwardAPI, persistentVolumeClaim }: Volume): boolean {
  return Boolean(configMap ?? secret ?? downwardAPI ?? persistentVolumeClaim ?? (projected && !name.startsWith('kube-api-access-')));
}

/** Its files come from the API; they are read-only in containers. */
function isOfApi(pod: Pod, name: string): boolean {
  const volume = pod.spec?.volumes?.find((candidate) => candidate.name === name);
  return Boolean(volume?.configMap ?? volume?.secret ?? volume?.projected ?? volume?.downwardAPI);
}

function podDirectory(uid: string): string {
  return `/var/lib/kubelet/pods/${uid}`;
}
