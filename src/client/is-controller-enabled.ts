/**
 * Whether a list of names, as flag `--controllers` has it (`*` for all, `-name` for all but that one), turns a controller on.
 * k8s.io/controller-manager pkg/genericcontrollermanager IsControllerEnabled
 * @example isControllerEnabled('cronjob-controller', ['*', '-cronjob-controller']); // false
 */
export function isControllerEnabled(name: string, controllers: readonly string[]): boolean {
  if (controllers.includes(name)) return true;
  return !controllers.includes(`-${name}`) && controllers.includes('*');
}

/** Older names of controllers, which flags still take, and what they are called today. */
export type ControllerAliases = Readonly<Record<string, string>>;

/** A list as flag `--controllers` has it, with today's names in place of older ones. */
export function canonicalNames(controllers: readonly string[], aliases: ControllerAliases): string[] {
  return controllers.map((text) => {
    const sign = text.startsWith('-') ? '-' : '';
    const name = text.slice(sign.length);
    return `${sign}${aliases[name] ?? name}`;
  });
}

/** The first name that no controller has, as it was written; undefined when all are known. */
export function unknownController(
  controllers: readonly string[],
  { known, aliases }: { readonly known: ReadonlySet<string>; readonly aliases: ControllerAliases },
): string | undefined {
  const plain = controllers.map((text) => text.replace(/^-/, ''));
  return plain.find((name) => name !== '*' && !known.has(aliases[name] ?? name));
}
