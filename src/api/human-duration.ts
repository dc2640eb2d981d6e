const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration in at most two units, fewer as it gets longer. apimachinery pkg/util/duration.HumanDuration */
export function humanDuration(ms: number): string {
  if (ms < -SECOND) return '<invalid>';
  if (ms < 0) return '0s';
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < 10 * MINUTE) return twoUnits(ms, { unit: MINUTE, name: 'm', below: SECOND, belowName: 's' });
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < 8 * HOUR) return twoUnits(ms, { unit: HOUR, name: 'h', below: MINUTE, belowName: 'm' });
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 8 * DAY) return twoUnits(ms, { unit: DAY, name: 'd', below: HOUR, belowName: 'h' });
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`;
  if (ms < 8 * YEAR) return twoUnits(ms, { unit: YEAR, name: 'y', below: DAY, belowName: 'd' });
  return `${Math.floor(ms / YEAR)}y`;
}

function twoUnits(ms: number, { unit, name, below, belowName }: { unit: number; name: string; below: number; belowName: string }): string {
  const rest = Math.floor((ms % unit) / below);
  return `${Math.floor(ms / unit)}${name}${rest > 0 ? `${rest}${belowName}` : ''}`;
}
