/** What `{name}` stands for. */
export type Variables = ReadonlyMap<string, string>;

/** `{name}` in a text replaced by what the lesson has picked under that name; unknown names stay as they are. */
export function fillText(text: string, variables: Variables): string {
  return text.replace(/\{([a-z][\w-]*)\}/gi, (all, name: string) => variables.get(name) ?? all);
}

/** The same in every text of plain data, for keys too. */
export function fill<T>(value: T, variables: Variables): T {
  if (typeof value === 'string') return fillText(value, variables) as T;
  if (Array.isArray(value)) return value.map((item) => fill(item, variables)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [fillText(key, variables), fill(item, variables)])) as T;
}

/** The names that a text uses, sorted. */
export function placeholdersOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/\{([a-z][\w-]*)\}/gi), ([, name = '']) => name))].sort();
}
