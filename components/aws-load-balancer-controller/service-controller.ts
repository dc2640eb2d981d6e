import { produce } from 'immer';
import { deepEqual } from '../../src/api/deep-equal.ts';
import type { Service } from '../../src/api/kinds/core-v1.ts';
import { services } from '../../src/api/resources.ts';
import type { AwsClient } from '../../src/client/aws-client.ts';
import { type Controller, defineController, type ReconcileContext } from '../../src/client/controller-runtime.ts';
import { addFinalizer, containsFinalizer, removeFinalizer } from '../../src/client/finalizers.ts';
import { annotationsChanged, anyOf } from '../../src/client/predicates.ts';
import { TerminalError } from '../../src/client/terminal-error.ts';
import { Deployer, isRefusal } from './deployer.ts';
import { BuildProblem } from './model.ts';
import { isOurs, serviceModel } from './service-model.ts';
import { specChanged } from './spec-changed.ts';

const FINALIZER = 'service.k8s.aws/resources';

/** controllers/service serviceReconciler: finalizer, AWS, status; the other way round at the end. */
export function serviceController(aws: AwsClient): Controller {
  return defineController<Service>({
    name: 'service',
    for: services,
    when: anyOf<Service>(specChanged, annotationsChanged),
    maxConcurrentReconciles: 3,
    reconcile: async (request, context) => {
      const service = await context.reader.get(services, request);
      if (!service) return;
      const work = { ...context, deployer: new Deployer(aws, context.client) };
      if (!service.metadata.deletionTimestamp && isOurs(service)) await ensure(service, work);
      else if (containsFinalizer(service, FINALIZER)) await cleanUp(service, work);
    },
  });
}

type Work = ReconcileContext & { readonly deployer: Deployer };

async function ensure(service: Service, { client, recorder, deployer }: Work): Promise<void> {
  let current = service;
  if (!containsFinalizer(service, FINALIZER))
    current = await client.resource(services).update(produce(service, (draft) => void addFinalizer(draft, FINALIZER)));
  try {
    const hostname = await deployer.deploy(serviceModel(current));
    const status = { loadBalancer: { ingress: [{ hostname }] } };
    if (!deepEqual(current.status?.loadBalancer, status.loadBalancer)) {
      const { namespace, name = '' } = current.metadata;
      await client.resource(services).patch({ namespace, name }, { status }, { type: 'merge', subresource: 'status' });
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

async function cleanUp(service: Service, { client, recorder, deployer }: Work): Promise<void> {
  const { namespace = '', name = '' } = service.metadata;
  try {
    await deployer.destroy({ stack: { prefix: 'service.k8s.aws', namespace, name } });
  } catch (error) {
    if (isRefusal(error)) recorder.event(service, 'Warning', 'FailedDeployModel', `Failed deploy model due to ${error.message}`);
    throw error;
  }
  await client.resource(services).update(produce(service, (draft) => void removeFinalizer(draft, FINALIZER)));
}
