const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** What `date` prints, in UTC. */
export function formatDate(wallTime: number, format = '%a %b %e %H:%M:%S UTC %Y'): string {
  const date = new Date(wallTime);
  const fields: Record<string, string> = {
    a: DAYS[date.getUTCDay()] ?? '',
    b: MONTHS[date.getUTCMonth()] ?? '',
    d: two(date.getUTCDate()),
    e: String(date.getUTCDate()).padStart(2, ' '),
    H: two(date.getUTCHours()),
    M: two(date.getUTCMinutes()),
    S: two(date.getUTCSeconds()),
    m: two(date.getUTCMonth() + 1),
    Y: String(date.getUTCFullYear()),
    y: two(date.getUTCFullYear() % 100),
    s: String(Math.floor(wallTime / 1000)),
    N: `${String(wallTime % 1000).padStart(3, '0')}000000`,
    Z: 'UTC',
    z: '+0000',
    n: '\n',
    t: '\t',
    '%': '%',
  };
  const short: Record<string, string> = { F: '%Y-%m-%d', T: '%H:%M:%S', D: '%m/%d/%y', R: '%H:%M', c: '%a %b %e %H:%M:%S %Y' };
  return format
    .replace(/%([FTDRc])/g, (_, letter: string) => short[letter] ?? '')
    .replace(/%([A-Za-z%])/g, (whole, letter: string) => fields[letter] ?? whole);
}
