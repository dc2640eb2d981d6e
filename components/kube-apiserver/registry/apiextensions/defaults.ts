import type { CustomResourceDefinition } from '../../../../src/api/kinds/apiextensions-v1.ts';

/** apiextensions-apiserver pkg/apis/apiextensions/v1 SetDefaults_CustomResourceDefinition and SetDefaults_CustomResourceDefinitionSpec */
export function setDefaultsCustomResourceDefinition({ spec }: CustomResourceDefinition): void {
  if (!spec) return;
  const { names } = spec;
  if (names && !names.singular) names.singular = (names.kind ?? '').toLowerCase();
  if (names && !names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  spec.conversion.strategy ??= 'None';
  const { service } = spec.conversion.webhook?.clientConfig ?? {};
  if (service) service.port ??= 443;
}
