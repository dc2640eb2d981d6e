import type { Endpoint } from '../../components/kube-network-policies/policy-rules.ts';
import { RULES, runKubeNetworkPolicies } from '../../components/kube-network-policies/server.ts';
import type { UserInfo } from '../api/request.ts';
import { installAccount } from '../client/install.ts';
import type { Cluster } from './cluster.ts';
import { nodesOf } from './config.ts';
import { CLUSTER_DNS } from './name-servers.ts';
import { KUBERNETES_ADMIN } from './users.ts';

const NAME = 'kube-network-policies';

/** CoreDNS runs beside the cluster: what asks it talks to the address of its Service. Policies see the pod that would be behind. */
const DNS: Endpoint = {
  ip: CLUSTER_DNS.ip,
  pod: {
    metadata: { name: 'coredns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
    spec: {
      containers: [
        {
          name: 'coredns',
          ports: [
            { name: 'dns', containerPort: CLUSTER_DNS.port, protocol: 'UDP' },
            { name: 'dns-tcp', containerPort: CLUSTER_DNS.port, protocol: 'TCP' },
          ],
        },
      ],
    },
  },
  namespace: { metadata: { name: 'kube-system', labels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
};

/** The network plugin's programs start on the nodes with the first NetworkPolicy that is written: a cluster without any has nothing to do with them. */
export function enforceNetworkPolicies(cluster: Cluster, user: UserInfo): void {
  const policies = cluster.etcd.keyspace('/registry/networkpolicies/');
  if (policies.size > 0) {
    start(cluster, user);
    return;
  }
  const release = policies.watch(() => {
    release();
    start(cluster, user);
  });
}

function start(cluster: Cluster, user: UserInfo): void {
  const others = new Map([[DNS.ip, DNS]]);
  const agents = nodesOf(cluster.config.nodes).map(({ name }) => {
    const config = { queue: cluster.serviceNetwork.queuePackets(name), others };
    return cluster.addProcess(`${NAME}/${name}`, user, (actor, client) => runKubeNetworkPolicies({ actor, client, config }));
  });
  cluster
    .addProcess(`install ${NAME}`, KUBERNETES_ADMIN, async (_, client) => {
      await installAccount(client, { account: NAME, role: NAME, rules: RULES });
      for (const agent of agents) agent.start();
    })
    .start();
}
