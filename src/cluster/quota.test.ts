import { expect, test } from 'vitest';
import { Cluster } from './cluster.ts';

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  names: { kind: Widget, listKind: WidgetList, plural: widgets, singular: widget }
  scope: Namespaced
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;
const QUOTA = `
apiVersion: v1
kind: ResourceQuota
metadata: { name: few }
spec: { hard: { count/widgets.example.com: "1" } }
`;
const widget = (name: string): string => `{ apiVersion: example.com/v1, kind: Widget, metadata: { name: ${name} } }`;

for (const order of [
  [DEFINITION, QUOTA],
  [QUOTA, DEFINITION],
])
  test(`a quota counts objects of a custom resource (${order[0] === QUOTA ? 'it was there before the definition' : 'the definition was there before'})`, async () => {
    const cluster = new Cluster({ nodes: 0 });
    await cluster.settle();
    const apply = (text: string) => cluster.kubectl(['apply', '-f', 'a.yaml'], { 'a.yaml': text });
    for (const text of order) {
      await apply(text);
      await cluster.settle();
    }
    await cluster.simulation.advance(301_000);
    expect((await apply(widget('a'))).stderr).toEqual([]);
    expect((await apply(widget('b'))).stderr.join()).toContain(
      'exceeded quota: few, requested: count/widgets.example.com=1, used: count/widgets.example.com=1, limited: count/widgets.example.com=1',
    );
  });
