const UNITS: Readonly<Record<string, number>> = { '': 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The arguments of `sleep` in milliseconds; undefined when one is wrong. */
export function sleepMilliseconds(args: readonly string[]): number | undefined {
  let sum = 0;
  for (const argument of args) {
    if (argument === 'infinity' || argument === 'inf') return Number.POSITIVE_INFINITY;
    const match = /^(\d*\.?\d+)([smhd]?)$/.exec(argument);
    if (!match) return undefined;
    sum += Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0);
  }
  return Math.round(sum);
}
