import { type DocumentReader, readDocument } from '../scenario/document-reader.ts';
import { CLUSTER_FIELDS, type ReadFile, readStep as readAction, readClusterConfig } from '../scenario/scenario.ts';
import { Digest } from '../sim/digest.ts';
import { LESSON_CONTROLLERS } from './controllers/lesson-controllers.ts';
import type { Lesson, LessonCluster, LessonStep, LessonTests, Mistake } from './lesson.ts';
import { readCheck } from './read-check.ts';
import { readPicks } from './read-picks.ts';
import { readLessonStep } from './read-step.ts';

export const API_VERSION = 'lesson/v1';

export const LESSON_FIELDS = [
  'apiVersion',
  'id',
  'requires',
  'minutes',
  'concepts',
  'cluster',
  'variants',
  'lanes',
  'allow',
  'files',
  'steps',
  'mistakes',
  'tests',
] as const;
const LESSON_CLUSTER_FIELDS = [...CLUSTER_FIELDS, 'customControllers', 'apply', 'setup', 'settle', 'pick'] as const;

/**
 * Reads a lesson; runs no code of it.
 * @param readFile reads what the lesson names beside it
 * @throws DocumentError naming file, line, column, field and what was expected
 */
export function parseLesson(text: string, file: string, readFile: ReadFile): Lesson {
  const root = readDocument(text, file);
  root.onlyFields(LESSON_FIELDS);
  root.field('apiVersion').oneOf([API_VERSION]);
  const id = root.field('id');
  if (!/^[a-z][a-z0-9-]*$/.test(id.string())) id.fail('expected small letters, digits and hyphens, e.g. delete-a-pod');
  const cluster = readCluster(root.field('cluster'), readFile);
  const steps = readSteps(root.field('steps'), readFile);
  const files = readFiles(root.field('files'), readFile);
  const lesson = {
    id: id.string(),
    requires: root
      .field('requires')
      .items()
      .map((item) => item.string()),
    minutes: root.field('minutes').number(),
    concepts: root
      .field('concepts')
      .items()
      .map((item) => item.string()),
    cluster,
    variants: root
      .field('variants')
      .items()
      .map((item) => readVariant(item, root.field('cluster'), readFile)),
    lanes: root
      .field('lanes')
      .items()
      .map((item) => item.string()),
    allow: root
      .field('allow')
      .items()
      .map((item) => item.string()),
    steps,
    mistakes: readMistakes(root.field('mistakes'), steps),
    tests: readTests(root.field('tests'), steps),
    files,
  };
  const { tests: _, minutes: __, concepts: ___, ...decisive } = lesson;
  const sum = new Digest();
  sum.update(JSON.stringify(decisive));
  return { ...lesson, hash: sum.hex() };
}

function readCluster(reader: DocumentReader, readFile: ReadFile): LessonCluster {
  reader.onlyFields(LESSON_CLUSTER_FIELDS);
  const apply = reader
    .field('apply')
    .items()
    .map((item) => readApply(item, readFile));
  const setup = reader
    .field('setup')
    .items()
    .map((item) => readAction(item, readFile));
  const settles = !reader.field('settle').exists || reader.field('settle').boolean();
  const settle = settles ? [{ line: 'settle', step: 'settle', withinMs: 600_000 } as const] : [];
  return {
    config: readClusterConfig(reader, readFile),
    customControllers: reader
      .field('customControllers')
      .items()
      .map((item) => item.oneOf(Object.keys(LESSON_CONTROLLERS))),
    setup: [...apply, ...(apply.length && setup.length ? settle : []), ...setup, ...settle],
    picks: readPicks(reader.field('pick')),
  };
}

/** Fields that a variant leaves out are those of the lesson's cluster. */
function readVariant(reader: DocumentReader, base: DocumentReader, readFile: ReadFile): LessonCluster {
  const variant = readCluster(reader, readFile);
  const original = readCluster(base, readFile);
  const given = new Set(reader.fieldNames());
  const config = { ...original.config, ...variant.config, ...(given.has('nodes') ? {} : { nodes: original.config.nodes }) };
  return {
    config: config as LessonCluster['config'],
    customControllers: given.has('customControllers') ? variant.customControllers : original.customControllers,
    setup: given.has('apply') || given.has('setup') ? variant.setup : original.setup,
    picks: given.has('pick') ? variant.picks : original.picks,
  };
}

function readApply(reader: DocumentReader, readFile: ReadFile) {
  const name = reader.string();
  const text = readFile(name) ?? reader.fail(`there is no file "${name}" beside the lesson`);
  return { line: reader.path, step: 'kubectl', args: ['apply', '-f', name], files: { [name]: text } } as const;
}

function readFiles(reader: DocumentReader, readFile: ReadFile): Record<string, string> {
  return Object.fromEntries(
    reader
      .items()
      .map((item) => [item.string(), readFile(item.string()) ?? item.fail(`there is no file "${item.string()}" beside the lesson`)]),
  );
}

function readSteps(reader: DocumentReader, readFile: ReadFile): LessonStep[] {
  const items = reader.items();
  if (!items.length) reader.fail('a lesson needs steps');
  const steps = items.map((item) => readLessonStep(item, readFile));
  const ids = new Set<string>();
  items.forEach((item, index) => {
    const id = steps[index]?.id ?? '';
    if (ids.has(id)) item.field('id').fail(`there is another step "${id}"; ids are unique within a lesson`);
    ids.add(id);
  });
  items.forEach((item, index) => {
    const step = steps[index] as LessonStep;
    if (step.next) checkStepName(item.field('next'), step.next, ids);
    for (const branch of item.field('branch').items()) checkStepName(branch.field('goto'), branch.field('goto').string(), ids);
    if (step.step === 'replay')
      for (const name of ['from', 'to'] as const) checkStepName(item.field('replay').field(name), step[name], ids);
    if (step.step === 'predict' && step.predict.revealAt)
      checkStepName(item.field('predict').field('revealAt'), step.predict.revealAt, ids);
    if (step.step === 'check' && step.since) checkStepName(item.field('since'), step.since, ids);
  });
  return steps;
}

function checkStepName(reader: DocumentReader, name: string, ids: ReadonlySet<string>): void {
  if (name !== 'end' && !ids.has(name)) reader.fail(`there is no step "${name}"; there are ${[...ids].join(', ')}, end`);
}

function readMistakes(reader: DocumentReader, steps: readonly LessonStep[]): Mistake[] {
  const ids = new Set(steps.map(({ id }) => id));
  return reader.items().map((item) => {
    item.onlyFields(['id', 'when', 'at']);
    const at = item.field('at');
    const places = at.isText ? [at] : at.items();
    for (const place of places) checkStepName(place, place.string(), ids);
    return {
      id: item.field('id').string(),
      when: readCheck(item.field('when')),
      ...(places.length ? { at: places.map((place) => place.string()) } : {}),
    };
  });
}

function readTests(reader: DocumentReader, steps: readonly LessonStep[]): LessonTests {
  const ids = new Set(steps.map(({ id }) => id));
  if (!reader.exists) return { solution: {}, mustFail: [] };
  reader.onlyFields(['solution', 'mustFail']);
  const solution = reader.field('solution');
  return {
    solution: solution.exists
      ? Object.fromEntries(
          solution.fieldNames().map((name) => {
            checkStepName(solution.field(name), name, ids);
            return [
              name,
              solution
                .field(name)
                .items()
                .map((item) => item.string()),
            ];
          }),
        )
      : {},
    mustFail: reader
      .field('mustFail')
      .items()
      .map((item) => {
        item.onlyFields(['at', 'do', 'mistake']);
        checkStepName(item.field('at'), item.field('at').string(), ids);
        const mistake = item.field('mistake');
        return {
          at: item.field('at').string(),
          commands: item
            .field('do')
            .items()
            .map((command) => command.string()),
          ...(mistake.exists ? { mistake: mistake.string() } : {}),
        };
      }),
  };
}
