import module from 'node:module';
import v8 from 'node:v8';

/**
 * Has Node keep what V8 makes of our source: modules that are loaded from now on are compiled whole, once on a machine, and read from Node's compile cache ever after.
 * Without it every start compiles four megabytes again, function by function: it halves what an import and the boot of a cluster take. Does nothing where Node cannot
 * keep it (before 22.1, no folder to write to, `NODE_DISABLE_COMPILE_CACHE` set); `NODE_COMPILE_CACHE` names the folder.
 *
 * @returns has Node compile function by function again, and writes down what is not written yet. Only for those who share the process with others.
 * @example
 * const done = compileAhead();
 * const { createCluster } = await import('./index.js').finally(done);
 */
export function compileAhead(): () => void {
  const { ENABLED, ALREADY_ENABLED } = module.constants?.compileCacheStatus ?? {};
  const status = module.enableCompileCache?.().status;
  if (status === undefined || (status !== ENABLED && status !== ALREADY_ENABLED)) return () => {};
  // Node keeps what a module was compiled to when it was loaded. Functions that V8 leaves for later would not be among it.
  v8.setFlagsFromString('--no-lazy');
  return () => {
    v8.setFlagsFromString('--lazy');
    module.flushCompileCache?.();
  };
}
