import type { EndpointSlice } from '../../../../src/api/kinds/discovery-v1.ts';

/** kubernetes pkg/apis/discovery/v1 SetDefaults_EndpointPort */
export function setDefaultsEndpointSlice({ ports }: EndpointSlice): void {
  for (const port of ports ?? []) {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }
}
