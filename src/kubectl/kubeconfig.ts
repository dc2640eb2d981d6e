/** A name for a cluster, a user and a namespace. */
export interface Context {
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string | undefined;
}

/** The only cluster there is, and who uses it; named as in the kubeconfig of `serve`. */
export const CLUSTER = 'bottleship';
export const USER = 'kubernetes-admin';

/** What `kubectl config` changes: kept from one command to the next, for as long as the cluster is there. client-go clientcmd api.Config */
export class Kubeconfig {
  readonly contexts = new Map<string, Context>([[CLUSTER, { cluster: CLUSTER, user: USER }]]);
  current = CLUSTER;

  /** Where objects are without `-n`; in the present context unless another is named. */
  namespaceOf(context = this.current): string {
    return this.contexts.get(context)?.namespace || 'default';
  }
}
