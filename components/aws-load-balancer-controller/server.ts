import type { AwsClient } from '../../src/client/aws-client.ts';
import type { Client } from '../../src/client/client.ts';
import { defineManager } from '../../src/client/manager.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { ingressController } from './ingress-controller.ts';
import { serviceController } from './service-controller.ts';
import { targetGroupBindingController } from './target-group-binding-controller.ts';

/** ALBs for Ingresses, NLBs for Services: github.com/kubernetes-sigs/aws-load-balancer-controller main */
export function runAwsLoadBalancerController(options: {
  readonly actor: Actor;
  readonly client: Client;
  readonly aws: AwsClient;
}): Promise<void> | void {
  const { aws } = options;
  const controllers = [ingressController(aws), serviceController(aws), targetGroupBindingController(aws)];
  return defineManager({ name: 'aws-load-balancer-controller', controllers }).start(options);
}
