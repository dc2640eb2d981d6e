import { deepEqual } from '../../api/deep-equal.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { readLabels } from '../labels.ts';
import { patchObject } from '../patch-object.ts';
import type { SetTarget } from './set.ts';

/** kubectl set selector TYPE NAME KEY=VALUE: all of the selector anew. */
export async function setSelector(context: CommandContext, targets: readonly SetTarget[], words: readonly string[]): Promise<void> {
  const selector = readLabels(words.join(','));
  for (const { resource, name } of targets) {
    const at = placeOf(context, resource, name);
    const object = (await context.client.resource(resource).get(at)) as KubernetesObject & { spec?: { selector?: Record<string, string> } };
    if (object.kind !== 'Service') throw new KubectlError('error: setting a selector is only supported for Services');
    const removed = Object.fromEntries(Object.keys(object.spec?.selector ?? {}).map((key) => [key, null]));
    const patch = { spec: { selector: { ...removed, ...selector } } };
    await patchObject(context, { resource, at, patch, type: 'merge', fieldManager: 'kubectl-set', word: 'selector updated' });
  }
}

/** kubectl set subject ROLEBINDING --user=…: adds subjects to a binding. */
export async function setSubject(context: CommandContext, targets: readonly SetTarget[]): Promise<void> {
  const { flags } = context;
  const apiGroup = 'rbac.authorization.k8s.io';
  const added = [
    ...flags.list('user').map((name) => ({ kind: 'User', apiGroup, name })),
    ...flags.list('group').map((name) => ({ kind: 'Group', apiGroup, name })),
    ...flags.list('serviceaccount').map((pair) => {
      const [namespace, name] = pair.split(':');
      if (!namespace || !name) throw new KubectlError('error: serviceaccount must be <namespace>:<name>');
      return { kind: 'ServiceAccount', name, namespace };
    }),
  ];
  if (!added.length) throw new KubectlError('error: you must specify at least one value of user, group or serviceaccount');
  for (const { resource, name } of targets) {
    const at = placeOf(context, resource, name);
    const { subjects = [] } = (await context.client.resource(resource).get(at)) as KubernetesObject & { subjects?: object[] };
    const fresh = added.filter((subject) => !subjects.some((other) => deepEqual(other, subject)));
    const patch = { subjects: [...subjects, ...fresh] };
    await patchObject(context, { resource, at, patch, type: 'merge', fieldManager: 'kubectl-set', word: 'subjects updated' });
  }
}
