/** Where bottleship is simpler than the real thing, by component, in words for its users. `bottleship truth` prints it. */
export const SIMPLIFICATIONS: Readonly<Record<string, readonly string[]>> = {
  network: ['Messages between components take fixed times (request 1 ms, answer 1 ms, watch event 2 ms after the commit) unless a fault says otherwise.'],
};

/** The list as lines of text. */
export function simplificationLines(): string[] {
  return Object.entries(SIMPLIFICATIONS).flatMap(([component, items]) => [component, ...items.map((item) => `  - ${item}`)]);
}
