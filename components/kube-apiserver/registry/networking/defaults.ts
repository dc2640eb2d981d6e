import type { IngressClass, NetworkPolicy } from '../../../../src/api/kinds/networking-v1.ts';

/** kubernetes pkg/apis/networking/v1 SetDefaults_NetworkPolicy */
export function setDefaultsNetworkPolicy({ spec }: NetworkPolicy): void {
  if (!spec) return;
  for (const { ports } of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) for (const port of ports ?? []) port.protocol ??= 'TCP';
  if (spec.policyTypes?.length) return;
  spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
}

/** kubernetes pkg/apis/networking/v1 SetDefaults_IngressClass */
export function setDefaultsIngressClass({ spec }: IngressClass): void {
  if (spec?.parameters) spec.parameters.scope ??= 'Cluster';
}
