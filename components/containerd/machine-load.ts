/** pid_max of a small machine */
const MAX_PIDS = 32_768;

/** The machine's disk and process table, and how much of them something takes that is no pod. */
export class MachineLoad {
  readonly diskBytes: number;
  readonly maxPids = MAX_PIDS;
  /** Shares from 0 to 1. */
  foreignDisk = 0;
  foreignPids = 0;

  constructor(diskBytes: number) {
    this.diskBytes = diskBytes;
  }
}
