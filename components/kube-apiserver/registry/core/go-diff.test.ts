import { expect, it } from 'vitest';
import { schemaOf, schemaOfKind, type TypeSchema } from '../../../../src/api/schema.ts';
import { podSpecDiff } from './go-diff.ts';
import { GO_STRUCTS } from './go-structs.ts';

// Goal: errors show a change as Go prints its structs, and no field of the API is missing in their description.

const CONTAINERS = [{ name: 'c', image: 'nginx' }];

it('shows what the host shares as part of the security context', () => {
  const before = { containers: CONTAINERS, hostNetwork: true, affinity: { podAffinity: {} } };
  expect(podSpecDiff(before, { containers: CONTAINERS })).toContain(`  "SecurityContext": {
-  "HostNetwork": true,
+  "HostNetwork": false,
   "HostPID": false,
`);
  expect(podSpecDiff(before, { containers: CONTAINERS, hostNetwork: true })).toContain(`- "Affinity": {
-  "NodeAffinity": null,
-  "PodAffinity": {
-   "RequiredDuringSchedulingIgnoredDuringExecution": null,
-   "PreferredDuringSchedulingIgnoredDuringExecution": null
-  },
-  "PodAntiAffinity": null
- },
+ "Affinity": null,
`);
});

it('knows all fields of a pod', () => {
  const missing: string[] = [];
  const seen = new Set<string>();
  // Those that Go keeps elsewhere: in the security context, or under one name for two.
  const elsewhere = new Set(['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers', 'serviceAccount', 'workloadRef']);
  const visit = (type: TypeSchema, struct: string, path: string): void => {
    if (type.type === 'list' || type.type === 'map') visit(type.items, struct, path);
    if (type.type !== 'struct' || !GO_STRUCTS[struct] || seen.has(`${struct} ${type.definition}`)) return;
    seen.add(`${struct} ${type.definition}`);
    const fields = new Map(layout(struct));
    for (const [name, field] of schemaOf(type.definition).fields) {
      const holds = fields.get(name);
      if (holds === undefined && !elsewhere.has(name)) missing.push(`${path}.${name}`);
      else if (holds) visit(field.type, holds.replace(/^[*[]/, ''), `${path}.${name}`);
    }
  };
  const pod = schemaOfKind('v1', 'Pod')?.fields.get('spec');
  if (pod) visit(pod.type, 'PodSpec', 'spec');
  expect(missing).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
});

function layout(struct: string): [string, string][] {
  return (GO_STRUCTS[struct] ?? '').split(',').flatMap((text): [string, string][] => {
    const [names = '', holds = ''] = text.trim().split(/\s+/);
    return names === '...' ? layout(holds) : [[names.split('>')[0] ?? '', holds]];
  });
}
