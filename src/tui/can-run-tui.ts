/** Whether there is a terminal to draw on and keys to read; if not, line mode is the way. */
export function canRunTui(
  stdin: { isTTY?: boolean },
  stdout: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return Boolean(stdin.isTTY) && Boolean(stdout.isTTY) && env.TERM !== 'dumb' && !env.ACCESSIBLE;
}
