import type { Ingress } from '../../src/api/kinds/networking-v1.ts';
import { ingressclasses, ingresses, services } from '../../src/api/resources.ts';
import type { AwsClient } from '../../src/client/aws-client.ts';
import type { CachedReader } from '../../src/client/cached-reader.ts';
import type { Client } from '../../src/client/client.ts';
import { watching } from '../../src/client/controller-runtime.ts';
import { defineManager } from '../../src/client/manager.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { ingressModel } from './ingress-model.ts';
import { loadBalancedController } from './load-balanced-controller.ts';
import { INGRESS_CONTROLLER } from './manifests.ts';
import { isOurs, serviceModel } from './service-model.ts';
import { targetGroupBindingController } from './target-group-binding-controller.ts';

/** ALBs for Ingresses, NLBs for Services: github.com/kubernetes-sigs/aws-load-balancer-controller main */
export function runAwsLoadBalancerController(options: {
  readonly actor: Actor;
  readonly client: Client;
  readonly aws: AwsClient;
}): Promise<void> | void {
  const { aws } = options;
  const ingress = loadBalancedController(
    {
      name: 'ingress',
      resource: ingresses,
      finalizer: 'ingress.k8s.aws/resources',
      prefix: 'ingress.k8s.aws',
      watches: [
        watching(
          services,
          ingressesOf,
          ({ metadata, spec }, before) => before === undefined || metadata.deletionTimestamp !== undefined || spec !== before.spec,
        ),
      ],
      isOurs: isOfAlb,
      build: async (object, reader) => {
        const { namespace = '' } = object.metadata;
        const all = await reader.list(services, { namespace });
        return ingressModel(object, (name) => all.find(({ metadata }) => metadata.name === name));
      },
    },
    aws,
  );
  const service = loadBalancedController(
    { name: 'service', resource: services, finalizer: 'service.k8s.aws/resources', prefix: 'service.k8s.aws', isOurs, build: serviceModel },
    aws,
  );
  const controllers = [ingress, service, targetGroupBindingController(aws)];
  return defineManager({ name: 'aws-load-balancer-controller', controllers }).start(options);
}

/** By its class, or by the annotation of before. pkg/ingress classLoader */
async function isOfAlb({ metadata, spec }: Ingress, reader: CachedReader): Promise<boolean> {
  const annotation = metadata.annotations?.['kubernetes.io/ingress.class'];
  if (annotation !== undefined) return annotation === 'alb';
  const name = spec?.ingressClassName;
  const ingressClass = name === undefined ? undefined : await reader.get(ingressclasses, { name });
  return ingressClass?.spec?.controller === INGRESS_CONTROLLER;
}

/** Ingresses that lead to a Service. */
async function ingressesOf(
  { metadata: { namespace = '', name } }: { metadata: { namespace?: string; name?: string } },
  reader: CachedReader,
) {
  const all = await reader.list(ingresses, { namespace });
  const leadsThere = ({ spec }: Ingress): boolean =>
    spec?.defaultBackend?.service?.name === name ||
    (spec?.rules ?? []).some(({ http }) => http?.paths.some(({ backend }) => backend.service?.name === name) ?? false);
  return all.filter(leadsThere).map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
}
