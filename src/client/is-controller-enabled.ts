/**
 * Whether a list of names, as flag `--controllers` has it (`*` for all, `-name` for all but that one), turns a controller on.
 * k8s.io/controller-manager pkg/genericcontrollermanager IsControllerEnabled
 * @example isControllerEnabled('cronjob-controller', ['*', '-cronjob-controller']); // false
 */
export function isControllerEnabled(name: string, controllers: readonly string[]): boolean {
  if (controllers.includes(name)) return true;
  return !controllers.includes(`-${name}`) && controllers.includes('*');
}
