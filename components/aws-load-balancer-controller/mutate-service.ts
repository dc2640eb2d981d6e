import { type AdmissionVerdict, answerReview } from '../../src/api/admission-review.ts';
import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import type { Service } from '../../src/api/kinds/core-v1.ts';
import { LOAD_BALANCER_CLASS } from './service-model.ts';

const PATH = '/mutate-v1-service';

/** Makes new Services of type LoadBalancer this controller's, unless they name a class. webhooks/core serviceMutator.MutateCreate */
function mutateService({ spec }: Service): AdmissionVerdict {
  if (spec?.type !== 'LoadBalancer' || spec.loadBalancerClass !== undefined) return {};
  return { patch: [{ op: 'add', path: '/spec/loadBalancerClass', value: LOAD_BALANCER_CLASS }] };
}

/** What the controller answers where it listens for kube-apiserver. */
export function answerServiceWebhook(call: HttpCall): HttpAnswer {
  if (call.path.split('?')[0] !== PATH) return { status: 404, body: '404 page not found\n' };
  return answerReview<Service>(call, ({ object }) => mutateService(object));
}
