import type { ContainerRuntimeInterface, DeviceMapping, Mount, PodRuntimeState } from '../../../src/api/cri.ts';
import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import type { ImageManager } from '../images/image-manager.ts';
import type { HandlerRunner } from '../lifecycle/handlers.ts';

export interface RunContainerOptions {
  readonly envs: readonly { readonly key: string; readonly value: string }[];
  readonly mounts: readonly Mount[];
  readonly devices?: readonly DeviceMapping[];
  readonly command?: readonly string[];
  readonly args?: readonly string[];
}

/** What starting and stopping containers needs of the rest of the kubelet. */
export interface RuntimeParts {
  readonly actor: Actor;
  readonly nodeName: string;
  readonly nodeIp: string;
  readonly runtime: ContainerRuntimeInterface;
  readonly recorder: EventRecorder;
  readonly images: ImageManager;
  readonly hooks: HandlerRunner;
  readonly generateRunContainerOptions: (request: {
    readonly pod: Pod;
    readonly container: Container;
    readonly podIps: readonly string[];
  }) => Promise<RunContainerOptions | { readonly error: string }>;
  /** All containers of the pod run with what it was given. */
  readonly onResized: (pod: Pod) => void;
  readonly podState: (uid: string) => Promise<PodRuntimeState>;
  /** Waits for `promise`, but no longer than this. */
  readonly within: (promise: Promise<void>, ms: number) => Promise<void>;
}
