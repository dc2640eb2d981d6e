export function isApplet(_name: string): boolean {
  return false;
}
