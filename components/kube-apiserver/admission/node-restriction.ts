import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Node, PersistentVolumeClaim, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { ResourceSlice } from '../../../src/api/kinds/resource-v1.ts';
import { nodes, pods } from '../../../src/api/resources.ts';
import { newNotFound } from '../../../src/api/status-error.ts';
import { nodeOf } from '../authorization/node.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';
import { admitCertificateRequest, admitTokenRequest } from './node-credentials.ts';
import { forbiddenLabels } from './node-labels.ts';

type Check = (attributes: AdmissionAttributes, node: string) => void;

/** A kubelet touches its own node and the pods on it, and nothing else. plugin/pkg/admission/noderestriction */
export const nodeRestriction: AdmissionPlugin = {
  name: 'NodeRestriction',
  resources: [
    'pods',
    'nodes',
    'persistentvolumeclaims',
    'serviceaccounts',
    'leases',
    'csinodes',
    'resourceslices',
    'certificatesigningrequests',
  ],
  mutate: (attributes) => {
    const node = nodeOf(attributes.context.user);
    if (node === undefined) return undefined;
    CHECKS[attributes.context.resource.resource]?.(attributes, node);
    return undefined;
  },
};

const CHECKS: Readonly<Record<string, Check>> = {
  pods: (attributes, node) => {
    const { subresource } = attributes.context;
    if (subresource === '') admitPod(attributes, node);
    else if (subresource === 'status') admitPodStatus(attributes, node);
    else if (subresource === 'eviction') admitEviction(attributes, node);
    else refuse(attributes, `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`);
  },
  nodes: admitNode,
  persistentvolumeclaims: (attributes) => {
    if (attributes.context.subresource !== 'status') refuse(attributes, 'may only update PVC status');
    if (attributes.operation !== 'UPDATE') refuse(attributes, `unexpected operation "${attributes.operation}"`);
    const rest = ({ status: _, metadata: { managedFields: _m, resourceVersion: _r, ...metadata }, ...claim }: PersistentVolumeClaim) => ({
      ...claim,
      metadata,
    });
    const same = deepEqual(rest(attributes.object as PersistentVolumeClaim), rest(attributes.oldObject as PersistentVolumeClaim));
    if (!same) refuse(attributes, 'node is not allowed to update fields other than status.quantity and status.conditions');
  },
  serviceaccounts: (attributes, node) => {
    if (attributes.operation === 'CREATE' && attributes.context.subresource === 'token') admitTokenRequest(attributes, node);
  },
  certificatesigningrequests: (attributes) => {
    if (attributes.operation === 'CREATE' && attributes.context.subresource === '') admitCertificateRequest(attributes);
  },
  leases: (attributes, node) => {
    if (attributes.context.namespace !== 'kube-node-lease')
      refuse(attributes, 'can only access leases in the "kube-node-lease" system namespace');
    if (nameOf(attributes) !== node) refuse(attributes, 'can only access node lease with the same name as the requesting node');
  },
  csinodes: (attributes, node) => {
    if (nameOf(attributes) !== node) refuse(attributes, 'can only access CSINode with the same name as the requesting node');
  },
  resourceslices: (attributes, node) => {
    if (attributes.operation !== 'CREATE') return;
    if ((attributes.object as ResourceSlice).spec.nodeName !== node)
      refuse(attributes, 'can only create ResourceSlice with the same NodeName as the requesting node');
  },
};

function refuse(attributes: AdmissionAttributes, why: string): never {
  throw admissionForbidden(attributes, why);
}

function nameOf({ name, object, oldObject }: AdmissionAttributes): string {
  return name || object?.metadata.name || oldObject?.metadata.name || '';
}

function admitPod(attributes: AdmissionAttributes, node: string): void {
  const { operation } = attributes;
  if (operation === 'CREATE') admitMirrorPod(attributes, attributes.object as Pod, node);
  else if (operation !== 'DELETE')
    refuse(attributes, `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`);
  else if ((attributes.oldObject as Pod).spec?.nodeName !== node)
    refuse(attributes, `node "${node}" can only delete pods with spec.nodeName set to itself`);
}

function admitMirrorPod(attributes: AdmissionAttributes, pod: Pod, node: string): void {
  const mirror = pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
  if (!mirror) refuse(attributes, `pod does not have "kubernetes.io/config.mirror" annotation, node "${node}" can only create mirror pods`);
  const only = `node "${node}" can only create pods`;
  if (pod.spec?.nodeName !== node) refuse(attributes, `${only} with spec.nodeName set to itself`);
  const owners = pod.metadata.ownerReferences ?? [];
  const [owner] = owners;
  if (owner) {
    if (owners.length > 1 || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
      refuse(attributes, `${only} with an owner reference set to itself`);
    if (owner.controller !== true) refuse(attributes, `${only} with a controller owner reference set to itself`);
    if (owner.blockOwnerDeletion) refuse(attributes, `node "${node}" must not set blockOwnerDeletion on an owner reference`);
    const uid = attributes.context.server.storage(nodes).get('', node)?.metadata.uid;
    if (uid !== owner.uid) refuse(attributes, `node ${node} UID mismatch: expected ${uid ?? ''} got ${owner.uid}`);
  }
  refuseReferences(attributes, pod, node);
}

/** A pod that nobody checked must not reach anything in the API. */
function refuseReferences(attributes: AdmissionAttributes, { spec }: Pod, node: string): void {
  const what = (found: boolean | undefined, resource: string): void => {
    if (found) refuse(attributes, `node "${node}" can not create pods that reference ${resource}`);
  };
  const volumes = spec?.volumes ?? [];
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  what(Boolean(spec?.serviceAccountName), 'a service account');
  what(
    volumes.some(({ secret, projected }) => secret || projected?.sources?.some((source) => source.secret)),
    'secrets',
  );
  what(
    containers.some(
      ({ env, envFrom }) => env?.some(({ valueFrom }) => valueFrom?.secretKeyRef) || envFrom?.some(({ secretRef }) => secretRef),
    ),
    'secrets',
  );
  what(
    volumes.some(({ configMap, projected }) => configMap || projected?.sources?.some((source) => source.configMap)),
    'configmaps',
  );
  what(
    containers.some(
      ({ env, envFrom }) => env?.some(({ valueFrom }) => valueFrom?.configMapKeyRef) || envFrom?.some(({ configMapRef }) => configMapRef),
    ),
    'configmaps',
  );
  what(
    volumes.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim || ephemeral),
    'persistentvolumeclaims',
  );
  what(Boolean(spec?.resourceClaims?.length), 'resourceclaims');
}

function admitPodStatus(attributes: AdmissionAttributes, node: string): void {
  const old = attributes.oldObject as Pod | undefined;
  if (old?.spec?.nodeName !== node)
    refuse(attributes, `node "${node}" can only update pod status for pods with spec.nodeName set to itself`);
  const pod = attributes.object as Pod;
  if (!deepEqual(pod.metadata.labels ?? {}, old?.metadata.labels ?? {}))
    refuse(attributes, `node "${node}" cannot update labels through pod status`);
  if (!deepEqual(pod.status?.resourceClaimStatuses ?? [], old?.status?.resourceClaimStatuses ?? []))
    refuse(attributes, `node "${node}" cannot update resource claim statues`);
}

function admitEviction(attributes: AdmissionAttributes, node: string): void {
  const { context } = attributes;
  const name = nameOf(attributes);
  const pod = context.server.storage(pods).get(context.namespace, name);
  if (!pod) throw newNotFound(pods, name);
  if (pod.spec?.nodeName !== node) refuse(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}

function admitNode(attributes: AdmissionAttributes, node: string): void {
  const { operation, context } = attributes;
  const name = nameOf(attributes);
  if (name !== node) refuse(attributes, `node "${node}" is not allowed to modify node "${name}"`);
  const object = attributes.object as Node | undefined;
  if (!object) return;
  if (operation === 'CREATE') {
    const labels = forbiddenLabels(Object.keys(object.metadata.labels ?? {}));
    if (labels.length > 0) refuse(attributes, `is not allowed to set the following labels: ${labels.join(', ')}`);
    return;
  }
  const old = attributes.oldObject as Node;
  if (context.subresource === '' && !deepEqual(object.spec?.taints ?? [], old.spec?.taints ?? []))
    refuse(attributes, `node "${node}" is not allowed to modify taints`);
  if (!deepEqual(object.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? []))
    refuse(attributes, `node "${node}" is not allowed to modify ownerReferences`);
  const labels = forbiddenLabels(changedKeys(object.metadata.labels, old.metadata.labels));
  if (labels.length > 0) refuse(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

function changedKeys(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key]);
}
