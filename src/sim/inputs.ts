/** Something from outside, with the moment at which it entered: after `events` events had run, at virtual time `time`. */
export interface InputRecord {
  readonly events: number;
  readonly time: number;
  /** Which handler takes it, e.g. `kubectl`, `fault`, `request`. */
  readonly input: string;
  /** JSON data. */
  readonly payload: unknown;
}
