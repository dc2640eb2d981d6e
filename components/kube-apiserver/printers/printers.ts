import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Printer } from './cell.ts';
import * as core from './core.ts';
import * as others from './others.ts';
import { printPod } from './pod.ts';
import * as workloads from './workloads.ts';

// biome-ignore lint/suspicious/noExplicitAny: a table of kinds of all types.
type AnyPrinter = (object: any, now: number) => ReturnType<Printer>;

/** The printer of each kind. pkg/printers/internalversion.AddHandlers */
const PRINTERS: Readonly<Record<string, AnyPrinter>> = {
  Pod: printPod,
  PodTemplate: workloads.printPodTemplate,
  PodDisruptionBudget: workloads.printPodDisruptionBudget,
  ReplicationController: workloads.printReplicationController,
  ReplicaSet: workloads.printReplicaSet,
  DaemonSet: workloads.printDaemonSet,
  Deployment: workloads.printDeployment,
  StatefulSet: workloads.printStatefulSet,
  ControllerRevision: workloads.printControllerRevision,
  Job: workloads.printJob,
  CronJob: workloads.printCronJob,
  HorizontalPodAutoscaler: workloads.printHorizontalPodAutoscaler,
  Service: core.printService,
  Node: core.printNode,
  Endpoints: core.printEndpoints,
  EndpointSlice: core.printEndpointSlice,
  Event: core.printEvent,
  Namespace: core.printNamespace,
  Secret: core.printSecret,
  ServiceAccount: core.printServiceAccount,
  ComponentStatus: core.printComponentStatus,
  ConfigMap: core.printConfigMap,
  PersistentVolume: core.printPersistentVolume,
  PersistentVolumeClaim: core.printPersistentVolumeClaim,
  ResourceQuota: core.printResourceQuota,
  Ingress: others.printIngress,
  IngressClass: others.printIngressClass,
  NetworkPolicy: others.printNetworkPolicy,
  RoleBinding: others.printRoleBinding,
  ClusterRoleBinding: others.printRoleBinding,
  CertificateSigningRequest: others.printCertificateSigningRequest,
  Lease: others.printLease,
  PriorityClass: others.printPriorityClass,
  RuntimeClass: others.printRuntimeClass,
  StorageClass: others.printStorageClass,
  VolumeAttachment: others.printVolumeAttachment,
  VolumeAttributesClass: others.printVolumeAttributesClass,
  CSINode: others.printCSINode,
  CSIDriver: others.printCSIDriver,
  CSIStorageCapacity: others.printCSIStorageCapacity,
  MutatingWebhookConfiguration: others.printWebhookConfiguration,
  ValidatingWebhookConfiguration: others.printWebhookConfiguration,
  ValidatingAdmissionPolicy: others.printValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding: others.printValidatingAdmissionPolicyBinding,
  FlowSchema: others.printFlowSchema,
  PriorityLevelConfiguration: others.printPriorityLevelConfiguration,
  ServiceCIDR: others.printServiceCIDR,
  IPAddress: others.printIPAddress,
  DeviceClass: others.printNameAndAge,
  ResourceClaimTemplate: others.printNameAndAge,
  ResourceClaim: others.printResourceClaim,
  ResourceSlice: others.printResourceSlice,
  APIService: others.printAPIService,
  Scale: others.printScale,
};

/** How objects of a kind are printed. */
export function printerOf({ kind = '' }: Pick<KubernetesObject, 'kind'>): Printer {
  return PRINTERS[kind] ?? others.printCreatedAt;
}
