/** A revision is asked for that the store has forgotten. etcd api/v3/v3rpc/rpctypes.ErrCompacted */
export class Compacted extends Error {
  override name = 'Compacted';
  readonly revision: number;
  readonly compactRevision: number;

  constructor(revision: number, compactRevision: number) {
    super('etcdserver: mvcc: required revision has been compacted');
    this.revision = revision;
    this.compactRevision = compactRevision;
  }
}
