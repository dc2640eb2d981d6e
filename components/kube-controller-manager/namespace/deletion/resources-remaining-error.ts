/** Something of a namespace's content could not be deleted; another try follows. */
export class DeletionError extends Error {
  override name = 'DeletionError';
}

/** Some content is left that needs its time: pods that stop, objects with finalizers. pkg/controller/namespace/deletion ResourcesRemainingError */
export class ResourcesRemainingError extends Error {
  override name = 'ResourcesRemainingError';
  readonly estimateSeconds: number;
  /** How much is left, as a text to compare with that of another pass. */
  readonly left: string;

  constructor({ estimateSeconds, remaining }: { estimateSeconds: number; remaining: ReadonlyMap<string, number> }) {
    super(`some content remains in the namespace, estimate ${estimateSeconds} seconds before it is removed`);
    this.estimateSeconds = estimateSeconds;
    this.left = [...remaining].map(([resource, count]) => `${count} ${resource.replace(/\.$/, '')}`).join(', ');
  }
}
