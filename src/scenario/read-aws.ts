import type { AwsConfig, AwsRoleConfig } from '../cluster/aws.ts';
import type { DocumentReader } from './document-reader.ts';

/** Reads `aws: { roles: [{ name: reader, serviceAccount: default/reader, actions: ['s3:List*'] }] }`. @throws DocumentError */
export function readAws(reader: DocumentReader): AwsConfig {
  reader.onlyFields(['accountId', 'roles']);
  const accountId = reader.field('accountId');
  return { ...(accountId.exists ? { accountId: accountId.text() } : {}), roles: reader.field('roles').items().map(readRole) };
}

function readRole(reader: DocumentReader): AwsRoleConfig {
  reader.onlyFields(['name', 'serviceAccount', 'audience', 'actions']);
  const audience = reader.field('audience');
  const serviceAccount = reader.field('serviceAccount').string();
  if (serviceAccount.split('/').length !== 2) reader.field('serviceAccount').fail('expected a namespace and a name, e.g. default/reader');
  return {
    name: reader.field('name').string(),
    serviceAccount,
    ...(audience.exists ? { audience: audience.string() } : {}),
    actions: reader
      .field('actions')
      .items()
      .map((item) => item.string()),
  };
}
