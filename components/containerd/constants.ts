/**
 * How long a runtime's work takes, in virtual milliseconds, and other numbers of containerd. Durations stand for a small machine: there about a second
 * passes from the binding of a pod until its container runs. Only their order of size matters.
 */

/** RunPodSandbox: network namespace, CNI ADD, pause container. */
export const RUN_POD_SANDBOX_MS = 350;
/** StopPodSandbox: pause container killed, CNI DEL. */
export const STOP_POD_SANDBOX_MS = 60;
/** CreateContainer: snapshot and spec. */
export const CREATE_CONTAINER_MS = 300;
/** StartContainer: shim task, runc start. */
export const START_CONTAINER_MS = 500;

export const REMOVE_MS = 5;
/** Setting up a process inside a container: execSync. */
export const EXEC_MS = 20;
/** Answers from memory: status, list, imageStatus. */
export const READ_MS = 1;
/** A connection on the node's bridge. */
export const NETWORK_MS = 1;

/** Pulling: resolving and unpacking, then bytes at this rate. */
export const PULL_BASE_MS = 600;
export const PULL_BYTES_PER_MS = 60_000;
/** Share of a pull's duration that chance adds at most. */
export const PULL_JITTER = 0.25;
/** How long a refused or unknown registry takes to say so. */
export const PULL_REFUSED_MS = 15;
export const PULL_NOT_FOUND_MS = 900;

/** Size of an image that nobody described. */
export const DEFAULT_IMAGE_SIZE = 48_000_000;

/** What a program uses that nobody described. */
export const DEFAULT_CPU_MILLI = 1;
export const DEFAULT_MEMORY_BYTES = 8 * 1024 * 1024;
export const DEFAULT_CPU_PER_REQUEST_MS = 1;

/** Lines of a container's log that are kept: stands for kubelet's containerLogMaxSize (10Mi) and containerLogMaxFiles (5). */
export const LOG_LINES_MAX = 20_000;

export const RUNTIME_NAME = 'containerd';
export const RUNTIME_VERSION = '1.7.28';

/** How long a program takes to fill its memory, when it needs more than its limit. */
export const OOM_AFTER_MS = 500;

/** 128 + SIGTERM, SIGKILL. */
export const EXIT_SIGTERM = 143;
export const EXIT_SIGKILL = 137;
/** containerd's exit code of a task that could not start. */
export const EXIT_START_ERROR = 128;
/** What a task shows that was running when its machine went down. */
export const EXIT_UNKNOWN = 255;
