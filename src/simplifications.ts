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
    'A rolling update of a DaemonSet takes nodes in the order of the cache, not at random; its status always counts what its sync has just created or deleted.',
    'A StatefulSet mounts the claims of its templates in the order of the templates, not in a random one.',
    'Waits of more than a minute for activeDeadlineSeconds or ttlSecondsAfterFinished of a Job keep nobody waiting: a settled cluster does not run on to their end.',
    'A CronJob without a time zone goes by UTC; the wait for its next run keeps nobody waiting, so a settled cluster does not run on to it.',
    'Large Services take their EndpointSlice controller 1 ms for every 20 endpoints; a stale slice cache is waited for, not retried after 1 s.',
    'Ranges of pod addresses are not given to nodes (node-ipam is off): each runtime brings its own.',
    'The root certificate that pods see is always the same one, and signatures of tokens are random. Certificates are really signed by it, with a key that everybody can read here.',
    'Volumes of policy Recycle are emptied at once, without a pod that scrubs them. Only volumes of CSI drivers are attached to nodes, not iSCSI and Fibre Channel.',
    'Bound claims and free volumes are left out when the binder looks at everything again every 15 s, as nothing would change.',
    'Expressions of ValidatingAdmissionPolicies are checked against the built-in kinds that their rules name, not against custom resources.',
    'An autoscaler is looked at again every 15 s, but after its first look, and after one that scaled, nobody waits for that: a settled cluster does not run on.',
    'Custom metrics of an object are asked for under the usual plural of its kind.',
    'Bootstrap tokens have no controllers (bootstrap-signer, token-cleaner, which kubeadm turns on); there is no selinux-warning controller.',
  ],
  'kube-apiserver': [
    'Priority and fairness turns requests away only under the fault overload-apiserver: its queues never fill by themselves. An exec or port-forward that is open is not told when kube-apiserver goes down.',
    'Bodies may be nested 1,000 levels deep, YAML somewhat less (10,000 in the real one); deeper ones are refused in its words.',
    'Custom resources are served at the moment in which their definition is established; instances of a deleted definition are looked for every 5 s without end.',
    'Policies, bindings and their parameters count from the moment they are written; the real ones take a second or two. Policies are asked in the order of their bindings by name.',
    'Expressions (CEL) cost what the real estimates say in definitions; while they run, costs are counted more roughly. Syntax errors are told one at a time, in the words of the real parser for the common cases.',
    'Where several branches of oneOf or anyOf fail, the findings of the first are told, not of the one that fits best.',
    'Any revision that the store still has can be watched; the real watch cache forgets sooner. It lags by 1 ms for a GET with resourceVersion=0, not for lists.',
    'Tokens of service accounts are signed with a key that every cluster shares; the one for kube-apiserver that a pod finds in its volume is a text that nobody checks (one for another audience is real), and in Secrets a token counts because it is there; nobody is warned for using one.',
    'Errors that quote whole structs of the Go implementation quote the fields of the API instead. YAML syntax errors use its words for the common cases only.',
    'Whole numbers beyond 2^53 lose precision. Times in microseconds come from a clock that counts milliseconds.',
    'Of the user that a Windows container runs as, only an empty name is refused; certificates and keys in TLS Secrets are not matched.',
    'Fields behind feature gates that are off by default are dropped, as the real one does, but without a way to switch the gates on.',
    'In the process, managedFields are there for who reads them by name; copies of an object and its JSON text do not show them, nor does the audit log. Over HTTP they are a field like any other.',
    'Admission webhooks are asked one after the other, also those that only validate; a new configuration counts at once. What webhooks and other API servers in pods are asked goes without TLS.',
    'A conversion webhook is asked once for equal contents; its answer is taken again for other objects of the same name, labels, annotations and fields.',
    'Watches through an extension API server end when it has answered; its OpenAPI documents are not merged with those of this one.',
    'Of CONNECT requests webhooks see exec, attach and portforward (of several words of a command the first), admission policies none.',
    'Requests through pods, services and nodes (proxy) cannot take over their connection, and links in pages are not rewritten. There are no profiles under `/debug/pprof/`. kube-apiserver has no Lease that tells who it is, and gives up no request for taking too long (34 s for writes, 60 s for others, or `timeout` in the query). kube-apiserver keeps no Lease of its own in kube-system.',
  ],
  kubelet: [
    'A pod at rest is not looked at again every 1 to 1.5 minutes, and looks at the runtime that would find nothing are left out.',
    'Mounted ConfigMaps and Secrets are read again at most every 60 s, not watched one by one.',
    'An image uses a constant amount of memory. Of the pages of metrics there is `/metrics/resource`, which measures at the moment it is asked for.',
    'A node has one disk, whose inodes are not counted; sizes of files are their characters. Sizes that programs have beyond their files are constant (diskBytes, processes of an image).',
    'The type of a hostPath volume is checked outside of the directories of the system (/etc, /run, /var and the like) only, of which a node has few files.',
    'Manifests of static pods are read every 20 s, not when their directory changes, and are not validated by the kubelet.',
    'Capabilities, seccomp, AppArmor, SELinux and the permissions of files have no effect in containers. Probes follow no redirects.',
    'Events InvalidDiskCapacity and FailedSync are not written; a memory limit is lowered in place also below what a container uses; supplementalGroupsPolicy is taken by every node.',
    'A node whose clock is wrong writes wrong times; its certificates and tokens are taken all the same.',
    'Devices have no NUMA nodes, so the topology manager has nothing to do; no device ids in the status of containers (ResourceHealthStatus is off), no CDI.',
    'For settling, these count as background: endless loops, sleeps of more than 10 minutes, the fifth and later failed sync in a row, back-off at its maximum, probes that still fail after 2 minutes.',
  ],
  containerd: [
    'Containers run small programs in virtual time. An image that nobody described runs until it is stopped and answers at every port; images of the catalogue, and those that a scenario declares, do what is said of them.',
    'Pulls fail only from localhost, for declared errors, and for implausible tags of well-known images.',
    'The shell knows POSIX syntax and about 70 commands; stages of a pipeline run one after the other; awk, sed and find are small. What it does not know it refuses with a message.',
    'When containerd goes down, its containers end, as in a power cut.',
    'A program uses a constant amount of CPU while it waits, and so much for each request (1 ms unless its image says otherwise); loops of a shell use one. Limits cap loads and loops, not single requests, and nobody waits longer for that; the containers of a node together may use more than it has.',
  ],
  'metrics-server': ['kube-apiserver alone decides who may read it.'],
  'metrics-adapter': ['It stands for all adapters and is none of them: values are lines in ConfigMaps, and the load on pods.'],
  load: [
    'A load is a rate without requests: through a load balancer it goes to path `/`, and what changes there counts within 30 s. Nobody gets an answer, nothing is slow or refused; shares are even, and change at once with the rules of the node that it comes from. What answers it asks nothing of others.',
  ],
  'kube-proxy': ['Only IPv4; only the first packet of a connection is routed; node ports have no health check servers.'],
  'cni-plugins': [
    'Bridge, host-local, portmap and loopback are there, for IPv4; interfaces and routes are names in what they answer. They know ADD, DEL and CHECK, not STATUS and GC, and every error has the code 999. Pods whose ranges overlap are not told.',
  ],
  'kube-network-policies': [
    'The agents start with the first NetworkPolicy. Only the first packet of a connection is looked at; what a policy does not allow is dropped. AdminNetworkPolicies are not known; questions to DNS count as packets to a pod kube-system/coredns with the label k8s-app: kube-dns.',
  ],
  coredns: [
    'CoreDNS runs beside the cluster, not in pods, so questions do not pass through kube-proxy. Names outside the cluster are known only if the configuration names them.',
  ],
  serve: [
    'Addresses are on 127.0.0.1 only. Certificates are made anew at each start; users are known by certificate, by tokens of service accounts, or not at all.',
    'With --speed above 1 the clock of the cluster runs ahead of yours, and kubectl shows the ages that it computes itself (describe, events) as <invalid>. A request is answered at once: the clock runs ahead by the few milliseconds that this takes.',
    'OpenAPI documents have no descriptions, so explain shows none. Exec, attach and port-forward need WebSockets (kubectl 1.31 or newer uses them); SPDY alone is refused.',
    'Forwarded ports speak HTTP/1.1 only. At a terminal, ^C ends the line, not the command that runs; a resized window is not told of. Input and output of containers are text: bytes that are no UTF-8 are lost.',
    'tar packs and unpacks plain files and directories; that is what kubectl cp needs.',
  ],
  kubectl: [
    'apply and create of a definition together with objects of it wait until it is served, where the real kubectl asks for another try.',
    'This is about the kubectl inside (terminal UI, scenarios, lessons). It offers annotate, api-resources, api-versions, apply, attach, auth, autoscale, certificate, cluster-info, config, cordon, create, debug, delete, describe, diff, drain, events, exec, explain, expose, get, label, logs, patch, replace, rollout, run, scale, set, taint, top, uncordon, version, wait; not cp, edit, kustomize (nor -k), port-forward and proxy. The real kubectl talks to serve, with all its verbs.',
    'Scenarios and the terminal UI hand it files, not folders or standard input. --dry-run=client of label, annotate, patch, scale and set asks the server what would come of it. config has one cluster and one user, in no file.',
    'Nothing can be typed into a container: run -i, attach and exec -i only show what a command writes. logs -f and get -w ask again for what is new.',
    'Templates of -o go-template cannot define and call one another, nor assign with =, break and continue.',
    'describe has a form of its own for 25 kinds; the others are described like custom resources. An answer that does not end its last line (-o jsonpath) is shown as a line. Broken manifests are told of with line and column, and a key that comes twice is refused, where the real kubectl takes the last.',
  ],
  'terminal UI': [
    "etcd is drawn in kube-apiserver's lane, containerd in its kubelet's.",
    'Leases, events of the recorder, roles and the objects that every cluster has are hidden until asked for (:all, --all).',
  ],
  lessons: [
    'A reconcile that a learner writes is a list of rules with conditions in CEL, not a program: what the objects look like is given, it writes no status, and is stopped after 40 writes. Real ones are written in Go and other languages (examples/).',
  ],
  'kube-scheduler': [
    'Scheduling a pod takes no time, and requests are not held back to 50 a second, so a thousand pods are placed in one moment.',
    'Filters run one node after another, so exactly as many nodes are looked at as are needed; the real one looks at a few more, in parallel.',
    'No drivers prepare devices of resource claims: kubelets start containers as if they had. What alpha features add to claims (counters, shares of a device, taints) is left out.',
    'Extenders are asked one after another, and about all nodes that fit, also where a node was nominated.',
    'Objects of a snapshot (play --snapshot) are taken as they are; only a scheduler runs for them, so evicted pods stay, marked for deletion.',
    'Volumes of in-tree drivers are not translated to CSI, so they do not count for the limits of a node.',
    'A pod that waits for its volumes is looked at each second for 60 seconds; after that its wait (10 minutes in all) keeps nobody waiting.',
  ],
  'csi-driver': [
    'The storage system is in memory, and its calls take no time of their own. Controller, node service and sidecars are processes beside the others, not pods. It makes volumes anew or of snapshots, but no copies of other volumes.',
  ],
  'external-provisioner': [
    'Secrets that a class names are not read, nor kept on the volumes. What is to be done about a volume is done with the volume as kube-apiserver has it, where the real one looks into its cache. Claims that name a VolumeAttributesClass are provisioned without it.',
  ],
  'external-resizer': [
    'What a volume is like besides its size (VolumeAttributesClass) is not changed. A size that is asked for while an expansion goes on is not held back until that has ended.',
  ],
  'external-attacher': ['Volumes without a PersistentVolume (inline) are not attached, and secrets of volumes are not read.'],
  'external-snapshotter': [
    'Groups of snapshots, distributed snapshotting and the old API v1beta1 are not offered; drivers are always asked for the state of a snapshot by ListSnapshots.',
  ],
  'database-operator': [
    'Its replicas run as processes beside the others, not in pods; one that lost its Lease is started again after a second.',
    'A replica that is asked to end begins nothing new, but does not wait for what it is working on before it gives its Lease back.',
  ],
  metacontroller: [
    'It runs without leader election; its requests to hooks leave from the first node, whichever its pod is on.',
    'ETags and server-side apply are not offered. Unknown fields in answers of hooks are passed over (mode loose), also for hooks of version v2.',
    'Its caches are not flushed every 30 minutes; a resource that is not there is looked for again as the queue tries again.',
  ],
  aws: [
    'One account in one region. Signatures of requests are not checked, only whose key it is; policies allow actions, not resources, and only roles have any.',
    'What is created is there at once, or after a fixed time (volumes 1 s, attachments 1.5 s, load balancers 2 min, the first health checks 20 s); requests take 50 ms and are never throttled.',
    'The names of nodes are their own, not those of their instances; about 20 types of instances are known, and no other limits of an account than those of its subnets.',
    'Health checks of load balancers ask whether somebody listens at the address of a target, or behind the port of a machine, and count at once; a target leaves at once. Rules look at host and path; there are no weights, stickiness, TLS or access logs.',
    'S3 knows buckets, not what is in them; a handful of names belong to others in the world. No pod gets the role of its machine from the metadata service.',
    'STS reads the keys of the cluster, not of any other issuer. Clients do not try a request again by themselves, as the SDKs do.',
  ],
  'cloud-controller-manager': [
    'It runs as one process beside the others, not in a pod.',
    'Load balancers of the simulated cloud choose a healthy node for each connection at random: one whose kube-proxy runs, and with externalTrafficPolicy Local one with a pod of the Service; what changes there counts at once. No session affinity, source ranges or UDP.',
  ],
  'aws-cloud-provider': [
    'Load balancers for Services without a class are of the network kind, not the classic one, and their annotations are not read.',
  ],
  'aws-cli': ['Only sts get-caller-identity and s3 ls, mb, rb; options are not read.'],
  'amazon-vpc-cni': [
    'aws-node and its plugin are processes beside the others, not pods of a DaemonSet. No prefixes, security groups for pods, custom networking, network policies or IPv6.',
    'What ipamd knows of its addresses is on the disk of the node; the pods of a node are not compared with it. An interface may be given back as soon as nobody uses it.',
  ],
  'aws-ebs-csi-driver': [
    'Controller and node service are processes, not pods; of the parameters of a class only the type is read, and of a snapshot class nothing. Snapshots are complete after 5 s. The limit of volumes counts the interfaces that there are when the driver starts.',
  ],
  'aws-load-balancer-controller': [
    'Of IngressClassParams it reads group, scheme, targetType and namespaceSelector. No certificates, security groups, readiness gates, conditions and actions by annotation, or Gateway API; a retry takes the times of controller-runtime.',
    'It runs as one process beside the others, not in pods, without leader election. Its webhook for Services is reached at the machine of kube-apiserver, and only for new ones; it has no others. All subnets are used, whatever their tags.',
  ],
  'ack-s3-controller': [
    'It runs as a process beside the others, not in a pod. Of a bucket its name and region are looked after, also when it is adopted. The account is in kube-system; there are no AdoptedResources, and no accounts and regions by namespace.',
  ],
  'amazon-eks-pod-identity-webhook': [
    'It runs beside kube-apiserver with an account in kube-system; TLS is left out. EKS Pod Identity (the agent) is not there.',
  ],
  lint: ['Who calls himself neither by the name of a component nor by that of kubectl, curl or a browser is taken for an operator.'],
};

/** The list as lines of text. */
export function simplificationLines(): string[] {
  return Object.entries(SIMPLIFICATIONS).flatMap(([component, items]) => [component, ...items.map((item) => `  - ${item}`)]);
}
