import type { APIService } from '../../../../src/api/kinds/apiregistration-v1.ts';

/** kube-aggregator pkg/apis/apiregistration/v1 SetDefaults_ServiceReference */
export function setDefaultsAPIService({ spec }: APIService): void {
  if (spec?.service) spec.service.port ??= 443;
}
