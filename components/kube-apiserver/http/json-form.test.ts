import { expect, test } from 'vitest';
import { deepFreeze } from '../../../src/api/freeze.ts';
import { jsonOf, withTypeFirst } from './json-form.ts';

const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec: { containers: [] } });
const widget = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: { size: 1 } });

test('the text of an object or a list is that of its form, remembered or not', () => {
  const lists = [
    { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items: ['a', 'b'].map(pod) },
    { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [] },
    { apiVersion: 'example.com/v1', kind: 'WidgetList', metadata: {}, items: ['a', 'b'].map(widget) },
    { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList', metadata: {}, items: [pod('a')] },
  ];
  for (const body of [pod('a'), widget('a'), ...lists, { kind: 'APIVersions', versions: ['v1'] }])
    for (const form of [body, deepFreeze(structuredClone(body))])
      for (let time = 0; time < 2; time++) expect(jsonOf(form)).toBe(JSON.stringify(withTypeFirst(form)));
});
