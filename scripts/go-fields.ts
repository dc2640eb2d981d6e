// What the OpenAPI document does not tell of the Go types behind it, and what decides whether a zero value is kept or left out:
// optional numbers and booleans that are plain values (their zero is left out), and optional texts that are pointers (their "" is kept).
// An entry is `Definition.field`, or `*.field` for every definition.

/** Optional integers that are no pointers: 0 is the same as absent. */
export const VALUE_NUMBERS = words(`
  *.minReadySeconds *.readyReplicas *.availableReplicas *.fullyLabeledReplicas *.updatedReplicas *.unavailableReplicas *.currentReplicas *.nodePort
  *.healthCheckNodePort *.hostPort *.initialDelaySeconds *.periodSeconds *.successThreshold *.failureThreshold *.signal *.sizeBytes *.generation
  *.matchingPrecedence *.handSize *.queueLengthLimit *.queues *.number *.deprecatedCount *.retryAfterSeconds *.code
  Probe.timeoutSeconds DeploymentStatus.replicas DeploymentStatus.observedGeneration DaemonSetStatus.numberAvailable DaemonSetStatus.numberUnavailable
  DaemonSetStatus.updatedNumberScheduled DaemonSetStatus.observedGeneration ReplicaSetStatus.observedGeneration StatefulSetStatus.observedGeneration
  ReplicationControllerStatus.observedGeneration PodStatus.observedGeneration PodCondition.observedGeneration Condition.observedGeneration
  PodDisruptionBudgetStatus.observedGeneration ValidatingAdmissionPolicyStatus.observedGeneration ScaleSpec.replicas JobStatus.active JobStatus.failed
  JobStatus.succeeded AWSElasticBlockStoreVolumeSource.partition GCEPersistentDiskVolumeSource.partition Event.count EventSeries.count
  CustomResourceColumnDefinition.priority ExactDeviceRequest.count DeviceSubRequest.count ListMeta.resourceVersion
`);

/** Optional booleans that are no pointers: false is the same as absent. */
export const VALUE_BOOLEANS = words(`
  *.paused *.authenticated *.denied *.stdin *.stdinOnce *.tty *.chapAuthDiscovery *.chapAuthSession *.unschedulable *.hostIPC *.hostNetwork *.hostPID
  *.sslEnabled *.publishNotReadyAddresses *.clusterScope *.globalDefault *.preserveUnknownFields *.deprecated *.exclusiveMaximum *.exclusiveMinimum
  *.nullable *.uniqueItems *.x-kubernetes-embedded-resource *.x-kubernetes-int-or-string *.insecureSkipTLSVerify *.readOnly
`);

/** Exceptions to VALUE_BOOLEANS. */
export const POINTER_BOOLEANS = words('AzureDiskVolumeSource.readOnly CSIVolumeSource.readOnly');

/** Optional texts that are pointers: "" is not the same as absent. */
export const POINTER_STRINGS = words(`
  *.failurePolicy *.matchPolicy *.reinvocationPolicy *.parameterNotFoundAction *.timeZone *.completionMode *.managedBy *.podReplacementPolicy
  *.failedIndexes *.succeededIndexes *.holderIdentity *.preferredHolder *.strategy *.localhostProfile *.secretNamespace *.stopSignal *.appProtocol
  *.ipMode *.storageClassName *.volumeAttributesClassName *.volumeMode *.currentVolumeAttributesClassName *.fsGroupChangePolicy *.seLinuxChangePolicy
  *.supplementalGroupsPolicy *.hostnameOverride *.preemptionPolicy *.runtimeClassName *.procMount *.internalTrafficPolicy *.ipFamilyPolicy
  *.loadBalancerClass *.trafficDistribution *.nodeAffinityPolicy *.nodeTaintsPolicy *.mountPropagation *.recursiveReadOnly *.ingressClassName
  *.unhealthyPodEvictionPolicy *.reclaimPolicy *.volumeBindingMode *.fsGroupPolicy *.persistentVolumeName *.deprecationWarning *.labelSelectorPath
  *.distinctAttribute *.matchAttribute *.extendedResourceName *.shareID *.propagationPolicy *.x-kubernetes-list-type *.x-kubernetes-map-type
  *.gmsaCredentialSpec *.gmsaCredentialSpecName *.runAsUserName *.selectPolicy *.resourceClaimName *.resourceClaimTemplateName
  Validation.reason ServiceReference.path WebhookClientConfig.url Rule.scope RuleWithOperations.scope NamedRuleWithOperations.scope
  PodFailurePolicyOnExitCodesRequirement.containerName AzureDiskVolumeSource.cachingMode AzureDiskVolumeSource.fsType AzureDiskVolumeSource.kind
  CSIVolumeSource.fsType Container.restartPolicy EphemeralContainer.restartPolicy EndpointAddress.nodeName Endpoint.hostname Endpoint.nodeName
  Endpoint.zone discovery.EndpointPort.name discovery.EndpointPort.protocol GRPCAction.service HostPathVolumeSource.type ISCSIVolumeSource.initiatorName
  ISCSIPersistentVolumeSource.initiatorName LocalVolumeSource.fsType PodDNSConfigOption.value PortStatus.error IngressPortStatus.error
  TypedLocalObjectReference.apiGroup TypedObjectReference.apiGroup TypedObjectReference.namespace ClusterTrustBundleProjection.name
  ClusterTrustBundleProjection.signerName IngressClassParametersReference.apiGroup IngressClassParametersReference.namespace
  IngressClassParametersReference.scope NetworkPolicyPort.protocol ValidationRule.reason Device.nodeName DeviceAttribute.string DeviceAttribute.version
  ResourceSliceSpec.nodeName Preconditions.uid Preconditions.resourceVersion
`);

/** Optional for clients, yet always written. */
export const ALWAYS_WRITTEN = words(`
  Role.rules ClusterRole.rules CustomResourceDefinitionStatus.conditions HorizontalPodAutoscalerStatus.currentMetrics EndpointSlice.ports
  ProjectedVolumeSource.sources CSINodeDriver.topologyKeys DeviceClaim.requests core.Event.reportingComponent core.Event.reportingInstance StatefulSetStatus.availableReplicas StatefulSetSpec.serviceName NodeRuntimeHandler.name
`);

/** Texts that are written as null when there is none. */
export const NULL_STRINGS = words(`
  TypedLocalObjectReference.apiGroup TypedObjectReference.apiGroup AzureFilePersistentVolumeSource.secretNamespace
`);

/** Times that are no pointers: written as null when there is none. */
export const VALUE_TIMES = words(`
  *.lastTransitionTime *.lastUpdateTime *.lastProbeTime *.lastHeartbeatTime *.firstTimestamp *.lastTimestamp *.eventTime *.startedAt *.finishedAt
  *.deprecatedFirstTimestamp *.deprecatedLastTimestamp *.lastObservedTime *.expirationTimestamp VolumeError.time
`);

/** Names of Go's string types, for the text of decoding errors. */
export const STRING_TYPES: Readonly<Record<string, string>> = {
  '*.imagePullPolicy': 'PullPolicy',
  '*.terminationMessagePolicy': 'TerminationMessagePolicy',
  '*.dnsPolicy': 'DNSPolicy',
  'PodSpec.restartPolicy': 'RestartPolicy',
  'Container.restartPolicy': 'ContainerRestartPolicy',
  'ContainerPort.protocol': 'Protocol',
  'ServicePort.protocol': 'Protocol',
  'ServiceSpec.type': 'ServiceType',
  '*.sessionAffinity': 'ServiceAffinity',
  'DeploymentStrategy.type': 'DeploymentStrategyType',
  'Secret.type': 'SecretType',
  '*.concurrencyPolicy': 'ConcurrencyPolicy',
  '*.podManagementPolicy': 'PodManagementPolicyType',
  'Toleration.operator': 'TolerationOperator',
  '*.effect': 'TaintEffect',
  '*.uid': 'types.UID',
};

/** Whether a list of such entries names the field. */
export function isListed(list: { has(entry: string): boolean }, definition: string, field: string): boolean {
  const [group = '', , type = ''] = definition.split('.');
  return list.has(`*.${field}`) || list.has(`${type}.${field}`) || list.has(`${group}.${type}.${field}`);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}
