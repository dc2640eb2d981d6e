import { type Draft, produce } from 'immer';
import type { Activation } from '../../api/cel/evaluator.ts';
import { jsonValue } from '../../api/cel/json-value.ts';
import { CelError } from '../../api/cel/values.ts';
import { deepEqual } from '../../api/deep-equal.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Resource } from '../../api/resource.ts';
import { configmaps, jobs, pods, services, statefulsets } from '../../api/resources.ts';
import { ApiStatusError, isAlreadyExists, isNotFound } from '../../api/status-error.ts';
import { setControllerReference } from '../../client/controller-reference.ts';
import { defineController, type ReconcileContext, type UserController, watching } from '../../client/controller-runtime.ts';
import { TerminalError } from '../../client/terminal-error.ts';
import { type Database, databases } from './database.ts';
import { writeJob, writePod, writeService, writeStatefulSet } from './database-objects.ts';
import { evaluateIn, parseRule, type Rule, type RuleKind } from './reconcile-rule.ts';

/** The ConfigMap with the learner's reconcile: one rule a line, under the key `rules`. So it comes through the door that everything comes through. */
export const RECONCILE = { namespace: 'default', name: 'reconcile' } as const;
/** A release that writes more often than this runs in circles, and is stopped. */
const MOST_WRITES = 40;

interface Body {
  readonly resource: Resource;
  readonly write: (draft: Draft<KubernetesObject>, database: Database) => void;
}

const BODIES: Readonly<Record<RuleKind, Body>> = {
  Service: body(services, writeService),
  StatefulSet: body(statefulsets, writeStatefulSet),
  Job: body(jobs, writeJob),
  Pod: body(pods, writePod),
};

/** What runs at present. It lives in the process's memory, and is gone with it. */
interface Release {
  readonly text: string;
  readonly rules: readonly Rule[];
  writes: number;
}

/**
 * The learner's own controller: for each Database it carries out the rules of the ConfigMap `reconcile`. It is called when a Database changes, or a Service or StatefulSet
 * that belongs to one, or the rules; not for Jobs, which rules can look at all the same. Rules see caches, which may be old. That an object to be created is there already
 * counts as done; whatever else goes wrong ends the call, and an Event tells it.
 */
export const mine: UserController = {
  name: 'mine',
  start: (process) => {
    let release: Release = releaseOf('');
    return defineController<Database>({
      name: 'mine',
      for: databases,
      owns: [services, statefulsets],
      watches: [
        watching(configmaps, async ({ metadata }, reader) =>
          metadata.name === RECONCILE.name && metadata.namespace === RECONCILE.namespace
            ? (await reader.list(databases)).map(({ metadata: { namespace = '', name = '' } }) => ({ namespace, name }))
            : [],
        ),
      ],
      reconcile: async (request, context) => {
        const text = (await context.reader.get(configmaps, RECONCILE))?.data?.['rules'] ?? '';
        if (text !== release.text) release = releaseOf(text);
        const database = await context.reader.get(databases, request);
        if (!database || database.metadata.deletionTimestamp) return;
        await carryOut(release, database, context);
      },
    }).start(process);
  },
};

function releaseOf(text: string): Release {
  const rules = text.split('\n').flatMap((line) => {
    const rule = parseRule(line);
    return 'problem' in rule ? [] : [rule];
  });
  return { text, rules, writes: 0 };
}

async function carryOut(release: Release, database: Database, context: ReconcileContext): Promise<void> {
  const variables = await variablesOf(database, context);
  for (const [index, rule] of release.rules.entries()) {
    try {
      if (rule.condition && evaluateIn(rule.condition, variables) !== true) continue;
      if (release.writes === MOST_WRITES) {
        context.recorder.event(database, 'Warning', 'TooManyWrites', `reconcile has written ${MOST_WRITES} times, and is stopped`);
        return;
      }
      if (await apply(rule, { database, variables, context })) release.writes++;
    } catch (error) {
      if (!isLasting(error)) throw error;
      const message = `line ${index + 1}: ${error.message}`;
      context.recorder.event(database, 'Warning', 'ReconcileError', message);
      throw new TerminalError(message, { cause: error });
    }
  }
}

/** Whether trying again, with the same caches, cannot mend it. */
function isLasting(error: unknown): error is Error {
  if (error instanceof CelError || error instanceof TerminalError) return true;
  if (!(error instanceof ApiStatusError) || error.reason === 'Conflict') return false;
  const { code = 500 } = error.status;
  return code < 500 && code !== 429;
}

/** What expressions can speak of: all of it as the caches have it when the call begins. */
async function variablesOf(database: Database, { reader }: ReconcileContext): Promise<Activation> {
  const values = {
    self: database,
    name: database.metadata.name,
    services: await reader.listControlledBy(services, database),
    statefulsets: await reader.listControlledBy(statefulsets, database),
    jobs: await reader.listControlledBy(jobs, database),
  };
  return (name) => (Object.hasOwn(values, name) ? jsonValue(values[name as keyof typeof values]) : undefined);
}

interface Call {
  readonly database: Database;
  readonly variables: Activation;
  readonly context: ReconcileContext;
}

/** Returns whether something was written. */
async function apply(rule: Rule, { database, variables, context }: Call): Promise<boolean> {
  const { resource, write } = BODIES[rule.kind];
  const requests = context.client.resource(resource);
  const { namespace = '' } = database.metadata;
  const at = { namespace, name: rule.named ? String(evaluateIn(rule.named, variables)) : (database.metadata.name ?? '') };
  const changed = (object: KubernetesObject): KubernetesObject =>
    produce(object, (draft) => {
      write(draft, database);
      setControllerReference(database, draft as KubernetesObject);
    });
  switch (rule.verb) {
    case 'create': {
      const metadata = rule.generateName ? { namespace, generateName: String(evaluateIn(rule.generateName, variables)) } : at;
      return unless(isAlreadyExists, requests.create(changed({ metadata })));
    }
    case 'update': {
      const existing = (await context.reader.get(resource, at)) ?? (await requests.get(at));
      const next = changed(existing);
      if (deepEqual(existing, next)) return false;
      await requests.update(next);
      return true;
    }
    case 'delete':
      return unless(isNotFound, requests.delete(at));
  }
}

async function unless(isDone: (error: unknown) => boolean, write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isDone(error)) return false;
    throw error;
  }
}

function body<T extends KubernetesObject>(resource: Resource<T>, write: (draft: Draft<T>, database: Database) => void): Body {
  return { resource, write } as unknown as Body;
}
