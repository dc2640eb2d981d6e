import type { StorageClass } from '../../src/api/kinds/storage-v1.ts';

/** What begins so is for the sidecars, not for the driver. */
const RESERVED = 'csi.storage.k8s.io/';
const FS_TYPE = `${RESERVED}fstype`;
/** The older way to write it, which drivers get to see. */
const OLD_FS_TYPE = 'fstype';
const KNOWN = new Set([
  FS_TYPE,
  ...['provisioner', 'controller-publish', 'node-stage', 'node-publish', 'controller-expand', 'node-expand']
    .map((use) => `${RESERVED}${use}-secret-`)
    .flatMap((prefix) => [`${prefix}name`, `${prefix}namespace`]),
]);

class ParameterProblem extends Error {
  override name = 'ParameterProblem';
}

/** What the parameters of a class mean. */
export interface ClassParameters {
  /** Absent where the class does not say it. */
  readonly fsType?: string;
  /** Those that the driver gets. */
  readonly forDriver: Readonly<Record<string, string>>;
}

/** Reads the parameters of a class: external-provisioner pkg/controller prepareProvision, removePrefixedParameters. @throws ParameterProblem */
export function classParameters({ parameters = {} }: StorageClass): ClassParameters {
  const entries = Object.entries(parameters);
  const fsTypes = entries.filter(([key]) => key === FS_TYPE || key.toLowerCase() === OLD_FS_TYPE);
  if (fsTypes.length > 1) throw new ParameterProblem(`fstype specified in parameters with both "${OLD_FS_TYPE}" and "${FS_TYPE}" keys`);
  const unknown = entries.find(([key]) => key.startsWith(RESERVED) && !KNOWN.has(key));
  if (unknown)
    throw new ParameterProblem(
      `failed to strip CSI Parameters of prefixed keys: found unknown parameter key "${unknown[0]}" with reserved namespace ${RESERVED}`,
    );
  const fsType = fsTypes[0]?.[1];
  return { ...(fsType ? { fsType } : {}), forDriver: Object.fromEntries(entries.filter(([key]) => !key.startsWith(RESERVED))) };
}
