import { describe, expect, it } from 'vitest';
import { configmaps, validatingadmissionpolicies, validatingadmissionpolicybindings } from '../../../src/api/resources.ts';
import { createTestCluster, type TestCluster } from '../../../src/testing/test-cluster.ts';

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }];

/** A cluster with one policy about ConfigMaps, bound with these actions. */
async function guarded(spec: object, binding: object = { validationActions: ['Deny'] }): Promise<TestCluster> {
  const cluster = await createTestCluster({ nodes: 0, components: [] });
  await cluster.create(validatingadmissionpolicies, {
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: rules }, ...spec },
  });
  await cluster.create(validatingadmissionpolicybindings, { metadata: { name: 'b' }, spec: { policyName: 'p', ...binding } });
  return cluster;
}

const map = (name: string, data?: Record<string, string>): object => ({ metadata: { name }, ...(data ? { data } : {}) });

async function refusal(cluster: TestCluster, object: object): Promise<string> {
  return cluster.create(configmaps, object as never).then(
    () => 'taken',
    (error: unknown) => (error as Error).message,
  );
}

describe('a policy', () => {
  it('refuses with the message that it computes, and lets the rest pass', async () => {
    const validations = [{ expression: "object.metadata.name != 'bad'", messageExpression: "'no ' + variables.name", reason: 'Forbidden' }];
    const cluster = await guarded({ variables: [{ name: 'name', expression: 'object.metadata.name' }], validations });
    expect(await refusal(cluster, map('bad'))).toContain("ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no bad");
    expect(await refusal(cluster, map('good'))).toBe('taken');
  });

  it('counts errors as its failure policy says', async () => {
    const validations = [{ expression: "object.data.level == 'low'" }];
    expect(await refusal(await guarded({ validations }), map('a'))).toContain('resulted in error: no such key: data');
    expect(await refusal(await guarded({ validations, failurePolicy: 'Ignore' }), map('a'))).toBe('taken');
  });

  it('leaves out requests for which a condition does not hold', async () => {
    const matchConditions = [{ name: 'not-me', expression: "request.name != 'mine'" }];
    const cluster = await guarded({ matchConditions, validations: [{ expression: 'false' }] });
    expect(await refusal(cluster, map('mine'))).toBe('taken');
    expect(await refusal(cluster, map('other'))).toContain('failed expression: false');
  });

  it('takes parameters', async () => {
    const paramRef = { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' };
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'object.data.size() <= int(params.data.max)' }],
    };
    const binding = { validationActions: ['Deny'], paramRef, matchResources: { objectSelector: { matchLabels: { checked: 'yes' } } } };
    const cluster = await guarded(spec, binding);
    const checked = (data: Record<string, string>): object => ({ metadata: { name: 'a', labels: { checked: 'yes' } }, data });
    expect(await refusal(cluster, checked({ a: '1' }))).toContain('no params found for policy binding with `Deny` parameterNotFoundAction');
    await cluster.create(configmaps, map('limits', { max: '1' }) as never);
    expect(await refusal(cluster, checked({ a: '1', b: '2' }))).toContain('failed expression');
    expect(await refusal(cluster, checked({ a: '1' }))).toBe('taken');
  });

  it('is refused itself when it does not compile', async () => {
    await expect(guarded({ validations: [{ expression: 'objekt.x' }] })).rejects.toThrow(
      "undeclared reference to 'objekt' (in container '')",
    );
  });
});
