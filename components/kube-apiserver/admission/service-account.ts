import type { Container, Pod, PodSpec, ServiceAccount, Volume } from '../../../src/api/kinds/core-v1.ts';
import { serviceaccounts } from '../../../src/api/resources.ts';
import { type Steps, wait } from '../steps.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';

const DEFAULT_NAME = 'default';
const TOKEN_MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_VOLUME_PREFIX = 'kube-api-access-';
const TOKEN_SECONDS = 3607;
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';
const ENFORCE_MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets';
const DEFAULT_RETRIES = 10;
const RETRY_MS = 100;

/** plugin/pkg/admission/serviceaccount */
export const serviceAccount: AdmissionPlugin = {
  name: 'ServiceAccount',
  resources: ['pods'],
  mutate: (attributes) => {
    const pod = newPod(attributes);
    if (!pod) return undefined;
    if (isMirror(pod)) {
      validateMirrorPod(attributes, pod);
      return undefined;
    }
    const name = pod.spec?.serviceAccountName || DEFAULT_NAME;
    const account = find(attributes, name);
    if (account) return withAccount(attributes, pod, account);
    return waitForAccount(attributes, pod, name);
  },
  validate: (attributes) => {
    const pod = newPod(attributes);
    if (!pod) return undefined;
    if (isMirror(pod)) {
      validateMirrorPod(attributes, pod);
      return undefined;
    }
    const account = find(attributes, pod.spec?.serviceAccountName || DEFAULT_NAME);
    if (account?.metadata.annotations?.[ENFORCE_MOUNTABLE] === 'true') limitSecretReferences(attributes, pod, account);
    return undefined;
  },
};

function newPod({ context, operation, object }: AdmissionAttributes): Pod | undefined {
  return operation === 'CREATE' && context.subresource === '' ? (object as Pod | undefined) : undefined;
}

const isMirror = (pod: Pod): boolean => pod.metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;

function find({ context }: AdmissionAttributes, name: string): ServiceAccount | undefined {
  return context.server.storage(serviceaccounts).get(context.namespace, name);
}

/** The default account of a new namespace may be about to appear. */
function* waitForAccount(attributes: AdmissionAttributes, pod: Pod, name: string): Steps<Pod> {
  const { server } = attributes.context;
  const retries = name === DEFAULT_NAME && server.config.actor ? DEFAULT_RETRIES : 0;
  for (let attempt = 0; attempt < retries; attempt++) {
    if (server.config.actor) yield* wait(server.config.actor.sleep(Math.round(server.random.jitter(RETRY_MS, 1))));
    const account = find(attributes, name);
    if (account) return withAccount(attributes, pod, account);
  }
  const why = `error looking up service account ${attributes.context.namespace}/${name}: serviceaccount "${name}" not found`;
  throw admissionForbidden(attributes, why);
}

function withAccount(attributes: AdmissionAttributes, pod: Pod, account: ServiceAccount): Pod {
  const name = account.metadata.name ?? DEFAULT_NAME;
  let spec: PodSpec = { ...(pod.spec ?? { containers: [] }), serviceAccountName: name, serviceAccount: name };
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) spec = withToken(attributes, spec);
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) spec = { ...spec, imagePullSecrets: account.imagePullSecrets };
  return { ...pod, spec };
}

/** Mounts a token where a container has nothing in its place. */
function withToken({ context }: AdmissionAttributes, spec: PodSpec): PodSpec {
  const existing = spec.volumes?.find(({ name }) => name.startsWith(TOKEN_VOLUME_PREFIX));
  const name = existing?.name ?? TOKEN_VOLUME_PREFIX + context.server.names.name(5);
  let mounted = false;
  const withMount = (container: Container): Container => {
    if (container.volumeMounts?.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH)) return container;
    mounted = true;
    const mount = { name, readOnly: true, mountPath: TOKEN_MOUNT_PATH };
    return { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] };
  };
  const initContainers = spec.initContainers?.map(withMount);
  const containers = spec.containers.map(withMount);
  if (!mounted) return spec;
  const volumes = existing ? spec.volumes : [...(spec.volumes ?? []), tokenVolume(name)];
  return { ...spec, ...(initContainers ? { initContainers } : {}), containers, ...(volumes ? { volumes } : {}) };
}

/** plugin/pkg/admission/serviceaccount.TokenVolumeSource */
function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
      ],
      defaultMode: 420,
    },
  };
}

function validateMirrorPod(attributes: AdmissionAttributes, { spec }: Pod): void {
  if (spec?.serviceAccountName) throw admissionForbidden(attributes, 'a mirror pod may not reference service accounts');
  const usesSecret =
    spec?.volumes?.some(({ secret }) => secret) ||
    spec?.containers.some(({ env }) => env?.some(({ valueFrom }) => valueFrom?.secretKeyRef));
  if (usesSecret) throw admissionForbidden(attributes, 'a mirror pod may not reference secrets');
  if (spec?.volumes?.some(({ projected }) => projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken))) {
    throw admissionForbidden(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}

/** An account may allow its pods only the secrets that it lists. */
function limitSecretReferences(attributes: AdmissionAttributes, pod: Pod, account: ServiceAccount): void {
  const accountName = account.metadata.name ?? '';
  const mountable = new Set(account.secrets?.map(({ name }) => name));
  const because = `is not allowed because service account ${accountName} does not reference that secret`;
  const refuse = (what: string): never => {
    throw admissionForbidden(attributes, `${what} ${because}`);
  };
  for (const { secret } of pod.spec?.volumes ?? []) {
    if (secret?.secretName && !mountable.has(secret.secretName)) refuse(`volume with secret.secretName="${secret.secretName}"`);
  }
  for (const container of [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]) {
    for (const { name, valueFrom } of container.env ?? []) {
      const secret = valueFrom?.secretKeyRef?.name;
      if (secret && !mountable.has(secret))
        refuse(`container ${container.name} with envVar ${name} referencing secret.secretName="${secret}"`);
    }
    for (const { secretRef } of container.envFrom ?? []) {
      if (secretRef?.name && !mountable.has(secretRef.name))
        refuse(`container ${container.name} with envFrom referencing secret.secretName="${secretRef.name}"`);
    }
  }
  const pullSecrets = new Set(account.imagePullSecrets?.map(({ name }) => name));
  pod.spec?.imagePullSecrets?.forEach(({ name }, index) => {
    if (pullSecrets.has(name)) return;
    const why = `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${accountName} does not reference that imagePullSecret`;
    throw admissionForbidden(attributes, why);
  });
}
