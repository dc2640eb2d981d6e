/** The certificate of the authority that signs within the cluster. */
export { ROOT_CA } from '../../components/kube-controller-manager/certificates/rootcacertpublisher/root-ca.ts';
