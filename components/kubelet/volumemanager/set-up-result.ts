/** What came of setting a volume up for a pod. */
export type SetUpResult =
  | { readonly path: string; readonly files?: Readonly<Record<string, string>>; readonly directory?: boolean }
  /** What the volume is cannot be said, and why: the sync of the pod fails for it. */
  | { readonly unprocessed: string }
  /** Not there yet. Without `problem` it is waited for in silence. */
  | {
      readonly problem?: string;
      /** The volume as messages name it. Default: as the pod does. */
      readonly of?: string;
      /** Default `MountVolume.SetUp`. */
      readonly operation?: string;
    };
