/** A call could not be answered because the other actor is not there. */
export class ActorUnavailable extends Error {
  override name = 'ActorUnavailable';
  readonly actor: string;
  /** `refused`: it was down already. `reset`: it went down before it answered. `timeout`: the way to it is cut. */
  readonly how: 'refused' | 'reset' | 'timeout';

  constructor(actor: string, how: 'refused' | 'reset' | 'timeout') {
    super(`${actor}: connection ${how}`);
    this.actor = actor;
    this.how = how;
  }
}
