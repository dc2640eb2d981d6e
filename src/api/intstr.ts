/** A count or a percentage: apimachinery pkg/util/intstr IntOrString. */
export type IntOrString = number | string;

/** The number of percent of `25%`; undefined when it is not a percentage. */
export function parsePercent(value: IntOrString | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const match = /^(\d+)%$/.exec(value);
  return match ? Number(match[1]) : undefined;
}

/**
 * Resolves a count or a percentage of `total` (intstr.GetScaledValueFromIntOrPercent). Undefined when the text is neither.
 * @example getScaledValueFromIntOrPercent({ value: '25%', total: 10, roundUp: true }) // 3
 */
export function getScaledValueFromIntOrPercent({
  value,
  total,
  roundUp,
}: {
  value: IntOrString;
  total: number;
  roundUp: boolean;
}): number | undefined {
  if (typeof value === 'number') return value;
  const percent = parsePercent(value);
  if (percent === undefined) return undefined;
  const scaled = (percent * total) / 100;
  return roundUp ? Math.ceil(scaled) : Math.floor(scaled);
}
