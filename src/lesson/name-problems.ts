import { KUBECTL_COMMANDS } from '../kubectl/kubectl.ts';
import type { LessonProblem } from './check-texts.ts';
import { fill } from './fill.ts';
import type { Lesson } from './lesson.ts';
import type { LessonRun } from './lesson-run.ts';

/** How controllers of kube-controller-manager are called. */
const CONTROLLER = /-(controller|collector|binder|publisher|autoscaler)$/;

/** Names in a lesson that mean nothing in its cluster: lanes, components, verbs. */
export function nameProblems(lesson: Lesson, run: LessonRun): LessonProblem[] {
  const actors = new Set(run.cluster.simulation.actors.keys());
  const isLane = (name: string): boolean => actors.has(name) || CONTROLLER.test(name);
  const problem = (where: string, text: string): LessonProblem => ({ file: 'lesson.yaml', where, problem: text });
  const known = [...actors].filter((name) => name !== 'etcd').join(', ');
  const unknown = (where: string, names: readonly string[]): LessonProblem[] =>
    fill(names, run.variables)
      .filter((name) => !isLane(name))
      .map((name) => problem(where, `there is no lane "${name}"; there are ${known}, and controllers by their names`));
  return [
    ...unknown('lanes', lesson.lanes),
    ...lesson.steps.flatMap((step) =>
      step.step === 'predict'
        ? unknown(
            `steps.${step.id}.predict.hide`,
            step.predict.hide.filter((name) => name !== 'future'),
          )
        : [],
    ),
    ...lesson.allow
      .filter((verb) => !Object.hasOwn(KUBECTL_COMMANDS, verb))
      .map((verb) => problem('allow', `kubectl has no verb "${verb}" here; there are ${Object.keys(KUBECTL_COMMANDS).join(', ')}`)),
  ];
}
