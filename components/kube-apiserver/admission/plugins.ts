import { certificateApproval, certificateSigning, certificateSubjectRestriction } from './certificates.ts';
import type { AdmissionPlugin } from './chain.ts';
import { defaultIngressClass, defaultStorageClass } from './default-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeRestriction } from './node-restriction.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy.ts';
import { mutatingAdmissionWebhook } from './webhook/mutating-webhook.ts';
import { validatingAdmissionWebhook } from './webhook/validating-webhook.ts';

/** The plugins that are on, in the order in which kube-apiserver runs them. pkg/kubeapiserver/options.AllOrderedPlugins */
export const ADMISSION_PLUGINS: readonly AdmissionPlugin[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  mutatingAdmissionWebhook,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
  resourceQuota,
];
