import { deepEqual } from '../../src/api/deep-equal.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Outbound } from '../../src/api/outbound.ts';
import type { Resource } from '../../src/api/resource.ts';
import type { Client } from '../../src/client/client.ts';
import { type Controller, defineController } from '../../src/client/controller-runtime.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { compositecontrollers, decoratorcontrollers, type Hooks } from './api.ts';
import { CompositeRunner } from './composite-controller.ts';
import { DecoratorRunner } from './decorator-controller.ts';
import type { MetacontrollerContext } from './parent-queue.ts';

type Definition = KubernetesObject & { readonly spec: { readonly hooks?: Hooks } };

interface Runner {
  stop(): void;
}

/** The process of metacontroller: runs a controller for each CompositeController and DecoratorController there is. `fetch` reaches their hooks. */
export async function runMetacontroller(options: {
  readonly actor: Actor;
  readonly client: Client;
  readonly fetch: Outbound;
}): Promise<void> {
  const { actor, client } = options;
  const informers = new SharedInformerFactory(client);
  const recorder = new EventRecorder({ client, component: 'metacontroller' });
  const context: MetacontrollerContext = { ...options, informers, recorder };
  const controllers = [
    hosting(compositecontrollers, context, (definition) => CompositeRunner.start(context, definition)),
    hosting(decoratorcontrollers, context, (definition) => DecoratorRunner.start(context, definition)),
  ];
  for (const controller of controllers) await controller.startIn({ actor, client, informers });
}

/** Starts and stops what definitions of one kind describe. metacontroller pkg/controller/composite Metacontroller.Reconcile */
function hosting<T extends Definition>(
  resource: Resource<T>,
  context: MetacontrollerContext,
  start: (definition: T) => Promise<Runner>,
): Controller {
  const running = new Map<string, { readonly definition: T; readonly runner: Runner }>();
  const stop = (name: string): void => {
    const before = running.get(name);
    if (!before) return;
    before.runner.stop();
    running.delete(name);
    context.recorder.event(before.definition, 'Normal', 'Stopped', `Stopped controller: ${name}`);
  };
  return defineController<T>({
    name: resource.resource,
    for: resource,
    reconcile: async ({ name }, { reader }) => {
      const definition = await reader.get(resource, { name });
      if (!definition) return stop(name);
      if (deepEqual(running.get(name)?.definition.spec, definition.spec)) return;
      stop(name);
      context.recorder.event(definition, 'Normal', 'Starting', `Starting controller: ${name}`);
      running.set(name, { definition, runner: await start(definition) });
      context.recorder.event(definition, 'Normal', 'Started', `Started controller: ${name}`);
    },
  });
}
