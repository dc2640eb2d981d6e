/** Fields that are read, and what is inside them; `true`: a value, or an API object that is taken as it is. A list is named by what its items have. */
export interface Fields {
  readonly [name: string]: true | Fields;
}

const PLUGIN_SET: Fields = { enabled: { name: true, weight: true }, disabled: { name: true } };

const PROFILE: Fields = {
  schedulerName: true,
  percentageOfNodesToScore: true,
  plugins: {
    multiPoint: PLUGIN_SET,
    preEnqueue: PLUGIN_SET,
    queueSort: PLUGIN_SET,
    preFilter: PLUGIN_SET,
    filter: PLUGIN_SET,
    postFilter: PLUGIN_SET,
    preScore: PLUGIN_SET,
    score: PLUGIN_SET,
    reserve: PLUGIN_SET,
    permit: PLUGIN_SET,
    preBind: PLUGIN_SET,
    bind: PLUGIN_SET,
    postBind: PLUGIN_SET,
  },
  pluginConfig: { name: true, args: true },
};

/** kubescheduler.config.k8s.io/v1 KubeSchedulerConfiguration. Those after `leaderElection` are accepted and mean nothing here. */
export const CONFIGURATION_FIELDS: Fields = {
  apiVersion: true,
  kind: true,
  percentageOfNodesToScore: true,
  podInitialBackoffSeconds: true,
  podMaxBackoffSeconds: true,
  profiles: PROFILE,
  extenders: {
    urlPrefix: true,
    filterVerb: true,
    preemptVerb: true,
    prioritizeVerb: true,
    weight: true,
    bindVerb: true,
    enableHTTPS: true,
    tlsConfig: true,
    httpTimeout: true,
    nodeCacheCapable: true,
    managedResources: { name: true, ignoredByScheduler: true },
    ignorable: true,
  },
  leaderElection: {
    leaderElect: true,
    leaseDuration: true,
    renewDeadline: true,
    retryPeriod: true,
    resourceName: true,
    resourceNamespace: true,
    resourceLock: true,
  },
  parallelism: true,
  clientConnection: { kubeconfig: true, acceptContentTypes: true, contentType: true, qps: true, burst: true },
  enableProfiling: true,
  enableContentionProfiling: true,
  delayCacheUntilActive: true,
};

const RESOURCE: Fields = { name: true, weight: true };

/** The arguments of plugins that have some. */
export const PLUGIN_ARGS_FIELDS: Readonly<Record<string, Fields>> = {
  DefaultPreemption: { minCandidateNodesPercentage: true, minCandidateNodesAbsolute: true },
  InterPodAffinity: { hardPodAffinityWeight: true, ignorePreferredTermsOfExistingPods: true },
  NodeAffinity: { addedAffinity: true },
  NodeResourcesBalancedAllocation: { resources: RESOURCE },
  NodeResourcesFit: {
    ignoredResources: true,
    ignoredResourceGroups: true,
    scoringStrategy: { type: true, resources: RESOURCE, requestedToCapacityRatio: { shape: { utilization: true, score: true } } },
  },
  PodTopologySpread: { defaultingType: true, defaultConstraints: true },
  VolumeBinding: { bindTimeoutSeconds: true, shape: true },
};

/** `path` of each field of `value` that is not one of `fields`, in the words of strict decoding. */
export function unknownFields(value: unknown, fields: Fields, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => unknownFields(item, fields, `${path}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => {
    const at = path ? `${path}.${name}` : name;
    const known = fields[name];
    if (known === undefined) return [`unknown field "${at}"`];
    return known === true ? [] : unknownFields(inside, known, at);
  });
}
