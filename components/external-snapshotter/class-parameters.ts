import type { VolumeSnapshot } from '../../src/client/volume-snapshot.ts';
import { quoted, SnapshotProblem } from './snapshot-problem.ts';

/** What classes say to the sidecars, not to the driver. */
const PREFIX = 'csi.storage.k8s.io/';
const SECRET_KEYS = {
  snapshotter: { name: `${PREFIX}snapshotter-secret-name`, namespace: `${PREFIX}snapshotter-secret-namespace` },
  list: { name: `${PREFIX}snapshotter-list-secret-name`, namespace: `${PREFIX}snapshotter-list-secret-namespace` },
};
const KNOWN = Object.values(SECRET_KEYS).flatMap(({ name, namespace }) => [name, namespace]);

type Parameters = Readonly<Record<string, string>>;

/** Where the credentials for the storage system are. */
export interface SecretReference {
  readonly name: string;
  readonly namespace: string;
}

/** external-snapshotter pkg/utils RemovePrefixedParameters. @throws SnapshotProblem for a key of the sidecars that they do not know */
export function driverParameters(parameters: Parameters = {}): Parameters {
  const unknown = Object.keys(parameters).find((key) => key.startsWith(PREFIX) && !KNOWN.includes(key));
  if (unknown !== undefined)
    throw new SnapshotProblem(
      `failed to remove CSI Parameters of prefixed keys: found unknown parameter key ${quoted(unknown)} with reserved namespace ${PREFIX}`,
    );
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !KNOWN.includes(key)));
}

/** Where a class says the driver's secret for a snapshot is; names may contain `${volumesnapshot.name}` and the like. external-snapshotter pkg/utils GetSecretReference */
export function secretReference(
  parameters: Parameters = {},
  { contentName, snapshot }: { readonly contentName: string; readonly snapshot: VolumeSnapshot },
): SecretReference | undefined {
  const { [SECRET_KEYS.snapshotter.name]: name, [SECRET_KEYS.snapshotter.namespace]: namespace } = parameters;
  if (name === undefined && namespace === undefined) return undefined;
  if (name === undefined || namespace === undefined)
    throw new SnapshotProblem('either name and namespace for Snapshotter secrets specified, Both must be specified');
  if (!name || !namespace)
    throw new SnapshotProblem('Snapshotter secrets specified in parameters but value of either namespace or name is empty');
  const { metadata } = snapshot;
  const inNamespace = { 'volumesnapshotcontent.name': contentName, 'volumesnapshot.namespace': metadata.namespace ?? '' };
  const annotations = Object.entries(metadata.annotations ?? {}).map(([key, value]) => [`volumesnapshot.annotations['${key}']`, value]);
  const inName = { ...inNamespace, 'volumesnapshot.name': metadata.name ?? '', ...Object.fromEntries(annotations) };
  return { namespace: resolve(namespace, inNamespace), name: resolve(name, inName) };
}

function resolve(template: string, values: Parameters): string {
  const missing: string[] = [];
  const resolved = template.replaceAll(/\$\{([^}]*)\}/g, (_, token: string) => {
    if (values[token] === undefined) missing.push(token);
    return values[token] ?? '';
  });
  if (missing.length > 0)
    throw new SnapshotProblem(`error resolving value ${quoted(template)}: invalid tokens: [${missing.map(quoted).join(' ')}]`);
  return resolved;
}
