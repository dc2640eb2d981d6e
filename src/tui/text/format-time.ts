const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Virtual time as the user interface shows it: `7.250s`, `1m07.250s`, `2h03m07.250s`. */
export function formatVirtualTime(ms: number): string {
  const seconds = (Math.floor(ms) % 60_000) / 1000;
  const minutes = Math.floor(ms / 60_000) % 60;
  const hours = Math.floor(ms / 3_600_000);
  const tail = `${seconds.toFixed(3)}s`;
  if (hours > 0) return `${hours}h${pad(minutes)}m${tail.padStart(7, '0')}`;
  return minutes > 0 ? `${minutes}m${tail.padStart(7, '0')}` : tail;
}

/** The virtual time that a timestamp of the API stands for; undefined when it is none. */
export function virtualTimeOf(value: unknown, epoch: number): number | undefined {
  if (typeof value !== 'string' || !ISO_TIME.test(value)) return undefined;
  return Date.parse(value) - epoch;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
