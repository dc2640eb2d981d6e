/** Cases that do not match yet, and why. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {};
