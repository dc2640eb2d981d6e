import type { AdmissionVerdict, JsonPatchOperation } from '../../src/api/admission-review.ts';
import type { Container, EnvVar, Pod, ServiceAccount, Volume } from '../../src/api/kinds/core-v1.ts';

/** On a service account: the role that its pods take. */
const ROLE_ARN = 'eks.amazonaws.com/role-arn';
/** On a service account: whom the token is for. */
const AUDIENCE = 'eks.amazonaws.com/audience';
/** On a service account: ask STS in the own region (`true`), or the one for all regions. */
const REGIONAL_ENDPOINTS = 'eks.amazonaws.com/sts-regional-endpoints';
/** On a service account or a pod: how long a token holds, in seconds. */
const TOKEN_EXPIRATION = 'eks.amazonaws.com/token-expiration';
/** On a pod: containers that are left alone, with commas between them. */
const SKIP_CONTAINERS = 'eks.amazonaws.com/skip-containers';

const DEFAULT_AUDIENCE = 'sts.amazonaws.com';
const DEFAULT_EXPIRATION = 86_400;
const MIN_EXPIRATION = 600;
const VOLUME = 'aws-iam-token';
const MOUNT_PATH = '/var/run/secrets/eks.amazonaws.com/serviceaccount';
const TOKEN_PATH = 'token';

export interface MutatePodConfig {
  /** `--aws-default-region` */
  readonly region: string;
}

/** Gives the containers of a pod what an AWS SDK needs to become the role of their service account. pkg/handler Modifier.MutatePod */
export function mutatePod(pod: Pod, account: ServiceAccount | undefined, { region }: MutatePodConfig): AdmissionVerdict {
  const annotations = account?.metadata.annotations ?? {};
  const roleArn = annotations[ROLE_ARN];
  if (roleArn === undefined || !pod.spec) return {};
  const env = environment(roleArn, { region, regional: annotations[REGIONAL_ENDPOINTS] !== 'false' });
  const skipped = new Set((pod.metadata.annotations?.[SKIP_CONTAINERS] ?? '').split(',').map((name) => name.trim()));
  const add = (container: Container): Container => (skipped.has(container.name) ? container : addTo(container, env));
  const { containers, initContainers, volumes } = pod.spec;
  const expirationSeconds = expirationOf(pod, annotations);
  const changed = containers.map(add);
  const changedInit = initContainers?.map(add);
  const isChanged = [...changed, ...(changedInit ?? [])].some((each, index) => each !== [...containers, ...(initContainers ?? [])][index]);
  if (!isChanged) return {};
  const patch: JsonPatchOperation[] = [];
  if (!volumes?.some(({ name }) => name === VOLUME)) {
    const volume = tokenVolume(annotations[AUDIENCE] ?? DEFAULT_AUDIENCE, expirationSeconds);
    patch.push({ op: 'add', path: volumes ? '/spec/volumes/0' : '/spec/volumes', value: volumes ? volume : [volume] });
  }
  patch.push({ op: 'add', path: '/spec/containers', value: changed });
  if (changedInit) patch.push({ op: 'add', path: '/spec/initContainers', value: changedInit });
  return { patch };
}

/** Variables that are added together, or not at all where a container has one of them. */
type EnvGroups = readonly (readonly EnvVar[])[];

function environment(roleArn: string, { region, regional }: { readonly region: string; readonly regional: boolean }): EnvGroups {
  return [
    regional ? [{ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' }] : [],
    [
      { name: 'AWS_DEFAULT_REGION', value: region },
      { name: 'AWS_REGION', value: region },
    ],
    [
      { name: 'AWS_ROLE_ARN', value: roleArn },
      { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: `${MOUNT_PATH}/${TOKEN_PATH}` },
    ],
  ];
}

/** What a container has itself stays; the same container when there is nothing to add. pkg/handler Modifier.addEnvToContainer */
function addTo(container: Container, groups: EnvGroups): Container {
  const env = container.env ?? [];
  const mounts = container.volumeMounts ?? [];
  const missing = groups.filter((group) => !group.some(({ name }) => env.some((each) => each.name === name))).flat();
  const isMounted = mounts.some(({ name }) => name === VOLUME);
  if (missing.length === 0 && isMounted) return container;
  const mount = { name: VOLUME, readOnly: true, mountPath: MOUNT_PATH };
  return { ...container, env: [...env, ...missing], volumeMounts: isMounted ? mounts : [...mounts, mount] };
}

function tokenVolume(audience: string, expirationSeconds: number): Volume {
  return { name: VOLUME, projected: { sources: [{ serviceAccountToken: { audience, expirationSeconds, path: TOKEN_PATH } }] } };
}

/** The pod's word counts before that of its account. */
function expirationOf(pod: Pod, annotations: Readonly<Record<string, string>>): number {
  const seconds = Number(pod.metadata.annotations?.[TOKEN_EXPIRATION] ?? annotations[TOKEN_EXPIRATION] ?? DEFAULT_EXPIRATION);
  return Number.isInteger(seconds) ? Math.max(seconds, MIN_EXPIRATION) : DEFAULT_EXPIRATION;
}
