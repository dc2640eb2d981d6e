import type { ClusterConfig } from '../cluster/config.ts';
import { Digest } from '../sim/digest.ts';
import type { InputRecord } from '../sim/inputs.ts';
import { VERSION } from '../version.ts';

/** A run as data: what it started from, what entered and when, and the digest of the trace that came of it. */
export interface Recording {
  readonly bottleship: string;
  readonly title: string;
  readonly config: ClusterConfig;
  readonly inputs: readonly InputRecord[];
  /** Where the run ended. */
  readonly end: { readonly events: number; readonly time: number };
  readonly digest: string;
  /** Over all other fields: tells an edited recording from a sound one. */
  readonly seal: string;
}

/** A recording cannot be used; the message says why and what to do. */
export class RecordingError extends Error {
  override name = 'RecordingError';
}

function sealOf(recording: Omit<Recording, 'seal'>): string {
  const { bottleship, title, config, inputs, end, digest } = recording;
  const sum = new Digest();
  sum.update(JSON.stringify([bottleship, title, config, inputs, end, digest]));
  return sum.hex();
}

/** The text of a recording file. */
export function formatRecording(recording: Omit<Recording, 'bottleship' | 'seal'>): string {
  const { title, config, inputs, end, digest } = recording;
  const sealed = JSON.parse(JSON.stringify({ bottleship: VERSION, title, config, inputs, end, digest })) as Omit<Recording, 'seal'>;
  return `${JSON.stringify({ ...sealed, seal: sealOf(sealed) }, null, 1)}\n`;
}

/** @throws RecordingError when the text is no recording, comes from another version, or was edited */
export function parseRecording(text: string, file: string): Recording {
  let recording: Partial<Recording>;
  try {
    recording = JSON.parse(text) as Partial<Recording>;
  } catch (error) {
    throw new RecordingError(`${file}: this is not a recording: ${(error as Error).message}`);
  }
  const { bottleship, inputs, end, digest, seal } = recording ?? {};
  if (typeof bottleship !== 'string' || !Array.isArray(inputs) || !end || typeof digest !== 'string') {
    throw new RecordingError(
      `${file}: this is not a recording: it has no fields bottleship, inputs, end and digest; recordings are made with play --record`,
    );
  }
  if (bottleship !== VERSION)
    throw new RecordingError(
      `${file}: recorded by bottleship ${bottleship}, this is ${VERSION}; a run is only the same within one version: record it anew`,
    );
  if (seal !== sealOf(recording as Recording))
    throw new RecordingError(`${file}: the recording was changed after it was made (its seal does not fit); record it anew`);
  return recording as Recording;
}
