/** Where bottleship is simpler than the real thing, by component, in words for its users. `bottleship truth` prints it. */
export const SIMPLIFICATIONS: Readonly<Record<string, readonly string[]>> = {
  network: [
    'Messages between components take fixed times (request 1 ms, answer 1 ms, watch event 2 ms after the commit) unless a fault says otherwise.',
    'Components have no limit on requests per second towards kube-apiserver unless one is set (the real controllers have 20 a second, with bursts of 30).',
    'Each component handles one thing at a time; handlers of a watch run one after another, inside the delivery of a change.',
  ],
  'kube-controller-manager': [
    'ReplicaSets that were created in the same second are ordered by revision, then by name.',
    'For the choice of pods to scale down, pods that a selector matches but that the set does not own are not counted.',
    'The wait for a progress deadline keeps nobody waiting: a settled cluster does not run on to it.',
    'The garbage collector gets whole objects instead of their metadata only.',
    'Large Services take their EndpointSlice controller 1 ms for every 20 endpoints; a stale slice cache is waited for, not retried after 1 s.',
    'Ranges of pod addresses are not given to nodes (node-ipam is off): each runtime brings its own.',
    'The root certificate that pods see is always the same one, and signatures of tokens are random.',
  ],
  'kube-proxy': ['Only IPv4; only the first packet of a connection is routed; node ports have no health check servers.'],
  coredns: [
    'CoreDNS runs beside the cluster, not in pods, so questions do not pass through kube-proxy. Names outside the cluster are known only if the configuration names them.',
  ],
  'terminal UI': [
    "etcd is drawn in kube-apiserver's lane, containerd in its kubelet's.",
    'Leases, events of the recorder, roles and the objects that every cluster has are hidden until asked for (:all, --all).',
  ],
  'kube-scheduler': [
    'Scheduling a pod takes no time, and requests are not held back to 50 a second, so a thousand pods are placed in one moment.',
    'Filters run one node after another, so exactly as many nodes are looked at as are needed; the real one looks at a few more, in parallel.',
    'Devices of resource claims (dynamic resource allocation) are not allocated: a pod that has claims stays pending and says so.',
    'Scheduler extenders are not offered, nor plugins that are not part of Kubernetes.',
    'Volumes of in-tree drivers are not translated to CSI, so they do not count for the limits of a node.',
    'A pod that waits for its volumes is looked at each second for 60 seconds; after that its wait (10 minutes in all) keeps nobody waiting.',
  ],
};

/** The list as lines of text. */
export function simplificationLines(): string[] {
  return Object.entries(SIMPLIFICATIONS).flatMap(([component, items]) => [component, ...items.map((item) => `  - ${item}`)]);
}
