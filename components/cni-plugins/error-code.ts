/** containernetworking/cni pkg/types/args.go error codes: what plugins end with. */

/** ErrInternal: every error that has no code of its own. */
export const INTERNAL = 999;
