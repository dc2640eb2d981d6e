import { expect, test } from 'vitest';
import { LessonRun } from '../lesson-run.ts';
import { parseLesson } from '../read-lesson.ts';

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: databases.example.com }
spec:
  group: example.com
  names: { kind: Database, listKind: DatabaseList, plural: databases, singular: database, shortNames: [db] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const DATABASE = `
apiVersion: example.com/v1
kind: Database
metadata: { name: shop }
spec: { engine: postgresql, version: "17", replicas: 2 }
`;

test('a Database becomes a Service and a StatefulSet, and tells how far it is', async () => {
  const files: Record<string, string> = { 'crd.yaml': CRD, 'db.yaml': DATABASE };
  const lesson = parseLesson(
    `
apiVersion: lesson/v1
id: databases
minutes: 1
cluster: { nodes: 1, customControllers: [database], apply: [crd.yaml], setup: [{ apply: db.yaml }, { wait: 60s }] }
steps: [{ id: x, narrate: {} }]
`,
    'lesson.yaml',
    (name) => files[name],
  );
  const run = await LessonRun.start(lesson.cluster);
  const start = { seq: 0, revision: 1, time: 0, commands: 0 };
  const holds = (of: { kind: string; name: string }, path: string, eq: unknown) =>
    run.judge({ check: 'object', of, path, is: { eq } }, start).ok;
  expect(holds({ kind: 'StatefulSet', name: 'shop' }, 'status.readyReplicas', 2)).toBe(true);
  expect(holds({ kind: 'Service', name: 'shop' }, 'spec.clusterIP', 'None')).toBe(true);
  expect(holds({ kind: 'Database', name: 'shop' }, 'status', { phase: 'Running', readyReplicas: 2, observedGeneration: 1 })).toBe(true);
  const fork = await run.fork();
  expect(fork.digest).toBe(run.digest);
});
