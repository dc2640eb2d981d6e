import { Cluster } from '../cluster/cluster.ts';
import type { ObservationConfig } from '../cluster/config.ts';
import type { Recording } from './recording.ts';

export interface ReplayOptions extends ObservationConfig {
  /** Stop at this virtual time (milliseconds), or right after the event that made this entry of the trace, instead of at the end. */
  readonly at?: number | { readonly entry: number };
  readonly onCluster?: (cluster: Cluster) => void;
}

export interface Replay {
  readonly cluster: Cluster;
  /** The whole recording was run again. */
  readonly complete: boolean;
  /** Its digest is the recorded one. Only meaningful when complete. */
  readonly same: boolean;
}

/**
 * Runs a recording again, as far as `at`: the inputs enter at the moments at which they entered. The cluster that comes out goes on from there as any other, which is
 * what a branch is.
 */
export async function replay(recording: Recording, options: ReplayOptions = {}): Promise<Replay> {
  const { at, onCluster, ...observation } = options;
  const cluster = new Cluster({ ...recording.config, ...observation, digest: true });
  onCluster?.(cluster);
  const { simulation } = cluster;
  const time = typeof at === 'number' ? at : Number.POSITIVE_INFINITY;
  const reached = (): boolean => typeof at === 'object' && simulation.trace.last >= at.entry;
  const left = { cluster, complete: false, same: false };
  for (const input of recording.inputs) {
    if (input.time > time) break;
    if (!(await simulation.runTo(input, reached))) return left;
    cluster.repeat(input.input, input.payload);
  }
  if (time < recording.end.time) {
    await simulation.advance(time - simulation.now);
    return left;
  }
  if (!(await simulation.runTo(recording.end, reached))) return left;
  return { cluster, complete: true, same: simulation.trace.digest() === recording.digest };
}
