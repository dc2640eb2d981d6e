const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The first name that no volume of the instance has: /dev/xvdaa, /dev/xvdab, … pkg/cloud/devicemanager */
export function deviceName(taken: readonly string[]): string {
  for (const first of LETTERS)
    for (const second of LETTERS) {
      const name = `/dev/xvd${first}${second}`;
      if (!taken.includes(name)) return name;
    }
  return '';
}
