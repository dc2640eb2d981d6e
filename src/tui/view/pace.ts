/** How much moves on the screen by itself. */
export const MOTIONS = ['none', 'step', 'full'] as const;

/**
 * `none`: nothing does, and playing goes at once to where it would stop. `step`: playing takes one event after the other, each drawn once. `full`: besides, the message of
 * a step travels from its sender to its receiver.
 */
export type Motion = (typeof MOTIONS)[number];

export function isMotion(name: string): name is Motion {
  return (MOTIONS as readonly string[]).includes(name);
}
