import { expect, it } from 'vitest';
import { createCluster } from '../../cluster/cluster.ts';

it('tells the fields of a type, as far as is asked', async () => {
  const cluster = await createCluster({ nodes: 0 });
  const explain = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await cluster.kubectl(['explain', ...args]);
    return [...stdout, ...stderr].join('\n');
  };
  expect(await explain('deploy.spec.strategy', '--recursive')).toBe(`GROUP:      apps
KIND:       Deployment
VERSION:    v1

FIELD: strategy <DeploymentStrategy>


DESCRIPTION:
    <empty>
FIELDS:
  rollingUpdate\t<RollingUpdateDeployment>
    maxSurge\t<IntOrString>
    maxUnavailable\t<IntOrString>
  type\t<string>
  enum: Recreate, RollingUpdate
`);
  expect(await explain('pods.spec.restartPolicy')).toContain(
    'FIELD: restartPolicy <string>\nENUM:\n    Always\n    Never\n    OnFailure\n',
  );
  expect(await explain('pods.metadata.managedFields')).toContain('  fieldsV1\t<FieldsV1>\n    <no description>\n\n  manager\t<string>');
});
