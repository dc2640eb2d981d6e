import { expect, test } from 'vitest';
import { BUILT_IN_RESOURCES } from './resources.ts';
import { schemaOf, schemaOfKind } from './schema.ts';

test('every built-in kind has a schema', () => {
  const missing = BUILT_IN_RESOURCES.filter(({ group, version, kind }) => !schemaOfKind(group ? `${group}/${version}` : version, kind));
  expect(missing.map(({ resource }) => resource)).toEqual([]);
  expect(schemaOfKind('v1', 'Thing')).toBeUndefined();
  expect(schemaOfKind('apps/v1', 'DeleteOptions')?.name).toBe('meta.v1.DeleteOptions');
});

test('fields know their type, their lists and how they are patched', () => {
  const { fields } = schemaOf('core.v1.PodSpec');
  expect(fields.get('containers')).toMatchObject({
    type: { type: 'list', items: { type: 'struct', definition: 'core.v1.Container' } },
    listType: 'map',
    listMapKeys: ['name'],
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
    goType: '[]v1.Container',
  });
  expect(fields.get('terminationGracePeriodSeconds')).toMatchObject({ type: { type: 'int64' }, presence: 'kept' });
  expect(fields.get('hostNetwork')?.presence).toBe('omitted');
  expect(fields.get('dnsPolicy')?.enum).toContain('ClusterFirst');
  expect(schemaOf('core.v1.Pod').fields.get('status')?.presence).toBe('struct');
  expect(schemaOf('core.v1.PodCondition').fields.get('lastProbeTime')?.presence).toBe('null');
  expect(schemaOf('meta.v1.LabelSelector').atomic).toBe(true);
});
