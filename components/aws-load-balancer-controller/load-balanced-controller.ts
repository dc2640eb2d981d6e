import { produce } from 'immer';
import { deepEqual } from '../../src/api/deep-equal.ts';
import type { LoadBalancerStatus } from '../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Resource } from '../../src/api/resource.ts';
import type { AwsClient } from '../../src/client/aws-client.ts';
import type { CachedReader } from '../../src/client/cached-reader.ts';
import { type Controller, defineController, type ReconcileContext, type WatchDefinition } from '../../src/client/controller-runtime.ts';
import { addFinalizer, containsFinalizer, removeFinalizer } from '../../src/client/finalizers.ts';
import { annotationsChanged, anyOf } from '../../src/client/predicates.ts';
import { TerminalError } from '../../src/client/terminal-error.ts';
import { Deployer, isRefusal } from './deployer.ts';
import { BuildProblem, type Model } from './model.ts';

/** An object whose status says by what it is reached. */
type LoadBalanced = KubernetesObject & { status?: { loadBalancer?: LoadBalancerStatus } };

/** How the objects of a kind get load balancers. */
export interface LoadBalancedKind<T extends LoadBalanced> {
  /** Of the controller, and the source of its events. */
  readonly name: string;
  readonly resource: Resource<T>;
  readonly finalizer: string;
  /** The prefix of the labels of what is made for it. */
  readonly prefix: string;
  readonly watches?: readonly WatchDefinition<never>[];
  /** Whether this controller is to look after it. */
  readonly isOurs: (object: T, reader: CachedReader) => boolean | Promise<boolean>;
  /** @throws BuildProblem */
  readonly build: (object: T, reader: CachedReader) => Model | Promise<Model>;
}

/** controllers/ingress groupReconciler and controllers/service serviceReconciler: finalizer, AWS, status; the other way round at the end. */
export function loadBalancedController<T extends LoadBalanced>(kind: LoadBalancedKind<T>, aws: AwsClient): Controller {
  const { name, resource, watches = [] } = kind;
  return defineController<T>({
    name,
    for: resource,
    when: anyOf<T>(specChanged, annotationsChanged),
    watches,
    maxConcurrentReconciles: 3,
    reconcile: async (request, context) => {
      const object = await context.reader.get(resource, request);
      if (!object) return;
      const wanted = !object.metadata.deletionTimestamp && (await kind.isOurs(object, context.reader));
      if (wanted) await ensure(object, kind, { ...context, deployer: new Deployer(aws, context.client) });
      else if (containsFinalizer(object, kind.finalizer))
        await cleanUp(object, kind, { ...context, deployer: new Deployer(aws, context.client) });
    },
  });
}

/** Services have no generation. pkg/ingress and service event handlers */
function specChanged(
  after: LoadBalanced & { readonly spec?: unknown },
  before: (LoadBalanced & { readonly spec?: unknown }) | undefined,
): boolean {
  if (before === undefined || after.metadata.deletionTimestamp !== before.metadata.deletionTimestamp) return true;
  return !deepEqual(after.spec, before.spec);
}

type Work = ReconcileContext & { readonly deployer: Deployer };

async function ensure<T extends LoadBalanced>(
  object: T,
  kind: LoadBalancedKind<T>,
  { client, recorder, reader, deployer }: Work,
): Promise<void> {
  const { resource, finalizer } = kind;
  let current = object;
  if (!containsFinalizer(object, finalizer)) {
    current = await client.resource(resource).update(produce(object, (draft) => void addFinalizer(draft as T, finalizer)));
  }
  try {
    const hostname = await deployer.deploy(await kind.build(current, reader));
    const status = { loadBalancer: { ingress: [{ hostname }] } };
    if (!deepEqual(current.status?.loadBalancer, status.loadBalancer)) {
      const { namespace, name = '' } = current.metadata;
      const at = namespace === undefined ? { name } : { namespace, name };
      await client.resource(resource).patch(at, { status }, { type: 'merge', subresource: 'status' });
    }
    recorder.event(current, 'Normal', 'SuccessfullyReconciled', 'Successfully reconciled');
  } catch (error) {
    if (error instanceof BuildProblem) {
      recorder.event(current, 'Warning', 'FailedBuildModel', `Failed build model due to ${error.message}`);
      // It is looked at again when something of it changes.
      throw new TerminalError(error.message);
    }
    if (isRefusal(error)) recorder.event(current, 'Warning', 'FailedDeployModel', `Failed deploy model due to ${error.message}`);
    throw error;
  }
}

async function cleanUp<T extends LoadBalanced>(object: T, kind: LoadBalancedKind<T>, { client, recorder, deployer }: Work): Promise<void> {
  const { namespace = '', name = '' } = object.metadata;
  try {
    await deployer.destroy({ stack: { prefix: kind.prefix, namespace, name } });
  } catch (error) {
    if (isRefusal(error)) recorder.event(object, 'Warning', 'FailedDeployModel', `Failed deploy model due to ${error.message}`);
    throw error;
  }
  await client.resource(kind.resource).update(produce(object, (draft) => void removeFinalizer(draft as T, kind.finalizer)));
}
