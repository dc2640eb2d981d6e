import { expect, test } from 'vitest';
import { LessonRun } from '../lesson-run.ts';
import { parseLesson } from '../read-lesson.ts';

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: databases.example.com }
spec:
  group: example.com
  names: { kind: Database, listKind: DatabaseList, plural: databases, singular: database }
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
spec: { engine: postgresql, version: "17" }
`;
const LESSON = `
apiVersion: lesson/v1
id: seeders
minutes: 1
cluster:
  nodes: 1
  customControllers: [draft-seeder, seeder]
  images: [{ name: "example.com/first-data:1", exit: { after: 3s, code: 0 } }]
  apply: [crd.yaml]
  setup:
    - apply: db.yaml
    - wait: 30s
    - kubectl: label database shop tier=gold
    - wait: 30s
    - fault: { crash: controller/draft-seeder }
    - fault: { crash: controller/seeder }
    - fault: { restart: controller/draft-seeder }
    - fault: { restart: controller/seeder }
    - wait: 30s
steps: [{ id: x, narrate: {} }]
`;

test('after a restart the draft loads the first data again, the other does not; a label moves neither', async () => {
  const files: Record<string, string> = { 'crd.yaml': CRD, 'db.yaml': DATABASE };
  const lesson = parseLesson(LESSON, 'lesson.yaml', (name) => files[name]);
  const run = await LessonRun.start(lesson.cluster);
  const start = { seq: 0, revision: 1, time: 0, commands: 0 };
  const jobs = (name: string, eq: number) =>
    run.judge({ check: 'count', of: { kind: 'Job', name, where: { 'status.succeeded': 1 } }, is: { eq } }, start).ok;
  expect([jobs('shop-draft-*', 2), jobs('shop-seed', 1)]).toEqual([true, true]);
});
