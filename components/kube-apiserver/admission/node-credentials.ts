import type { TokenRequest } from '../../../src/api/kinds/authentication-v1.ts';
import type { CertificateSigningRequest } from '../../../src/api/kinds/certificates-v1.ts';
import type { Pod, Volume } from '../../../src/api/kinds/core-v1.ts';
import { csidrivers, persistentvolumeclaims, persistentvolumes, pods } from '../../../src/api/resources.ts';
import { newNotFound } from '../../../src/api/status-error.ts';
import { parseCsr } from '../../../src/api/x509/certificate-request.ts';
import type { AdmissionAttributes } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';

const NODE_SIGNERS = new Set(['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet']);

/** A kubelet asks for certificates in its own name. plugin/pkg/admission/noderestriction.Plugin.admitCSR */
export function admitCertificateRequest(attributes: AdmissionAttributes): void {
  const { spec } = attributes.object as CertificateSigningRequest;
  if (!NODE_SIGNERS.has(spec.signerName)) return;
  const { username } = attributes.context.user;
  const parsed = parseCsr(spec.request);
  if (!parsed) throw admissionForbidden(attributes, 'unable to parse csr: PEM block type must be CERTIFICATE REQUEST');
  if (parsed.commonName !== username) throw admissionForbidden(attributes, `can only create a node CSR with CN=${username}`);
}

/** A kubelet asks for tokens for pods on its node, for whom they want to show them to. plugin/pkg/admission/noderestriction.Plugin.admitServiceAccount */
export function admitTokenRequest(attributes: AdmissionAttributes, node: string): void {
  const { server, namespace, user } = attributes.context;
  const refuse = (why: string): Error => admissionForbidden(attributes, why);
  const { audiences = [], boundObjectRef } = (attributes.object as TokenRequest).spec;
  const { apiVersion, kind, name = '', uid } = boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || !name) throw refuse('node requested token not bound to a pod');
  if (!uid) throw refuse('node requested token with a pod binding without a uid');
  const pod = server.storage(pods).get(namespace, name);
  if (!pod) throw newNotFound(pods, name);
  if (uid !== pod.metadata.uid) {
    const what = `the UID in the bound object reference (${uid}) does not match the UID in record`;
    throw refuse(`${what}. The object might have been deleted and then recreated`);
  }
  if (pod.spec?.nodeName !== node) throw refuse('node requested token bound to a pod scheduled on a different node');
  if (audiences.length > 1) throw refuse('node may only request 0 or 1 audiences');
  const [audience = ''] = audiences;
  if (audiencesOf(attributes, pod).has(audience) || mayAskFor(attributes, audience)) return;
  const why = `${user.username} is not authorized to request tokens for this audience`;
  throw refuse(`audience ${JSON.stringify(audience)} not found in pod spec volume, ${why}`);
}

/** For whom the volumes of a pod have tokens. plugin/pkg/admission/noderestriction.Plugin.podReferencesAudience */
function audiencesOf(attributes: AdmissionAttributes, pod: Pod): ReadonlySet<string> {
  const found = new Set<string>();
  for (const volume of pod.spec?.volumes ?? []) {
    for (const { serviceAccountToken } of volume.projected?.sources ?? [])
      if (serviceAccountToken) found.add(serviceAccountToken.audience ?? '');
    const driver = driverOf(attributes, pod, volume);
    const asked = driver ? attributes.context.server.storage(csidrivers).get('', driver)?.spec.tokenRequests : undefined;
    for (const { audience } of asked ?? []) found.add(audience);
  }
  return found;
}

/** The CSI driver behind a volume. */
function driverOf({ context: { server, namespace } }: AdmissionAttributes, pod: Pod, volume: Volume): string | undefined {
  if (volume.csi) return volume.csi.driver;
  const name = volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : volume.persistentVolumeClaim?.claimName;
  const claim = name === undefined ? undefined : server.storage(persistentvolumeclaims).get(namespace, name);
  const volumeName = claim?.spec?.volumeName;
  return volumeName ? server.storage(persistentvolumes).get('', volumeName)?.spec?.csi?.driver : undefined;
}

/** Audiences beyond those of volumes are given by roles. */
function mayAskFor({ context, name }: AdmissionAttributes, audience: string): boolean {
  const { server, namespace, user } = context;
  const what = { verb: 'request-serviceaccounts-token-audience', group: '', version: '*', resource: audience, subresource: '' };
  return server.authorizer.authorize({ ...what, isResourceRequest: true, path: '', namespace, name, user }).decision === 'allow';
}
