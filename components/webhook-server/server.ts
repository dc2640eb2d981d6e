import { answerReview } from '../../src/api/admission-review.ts';
import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import { convertCronTabs } from './convert-crontab.ts';
import { defaultRequests } from './default-requests.ts';
import { injectSidecar } from './inject-sidecar.ts';
import { finalizeServicePerPod, syncServicePerPod, syncSite } from './metacontroller-hooks.ts';
import { noLatestTag } from './no-latest-tag.ts';

/** The program's name, and the image it comes in. It listens at the port that webhook servers of controller-runtime listen at. */
export const WEBHOOK_SERVER = 'webhook-server';
export const WEBHOOK_SERVER_IMAGE = {
  name: 'example.com/webhook-server',
  programs: ['/webhook-server'],
  entrypoint: ['/webhook-server'],
  known: true,
};
export const WEBHOOK_SERVER_PORT = 9443;

const HANDLERS: Readonly<Record<string, (call: HttpCall) => HttpAnswer>> = {
  '/mutate-default-requests': (call) => answerReview(call, defaultRequests),
  '/mutate-inject-sidecar': (call) => answerReview(call, injectSidecar),
  '/validate-no-latest-tag': (call) => answerReview(call, noLatestTag),
  '/convert': convertCronTabs,
  '/sync-site': syncSite,
  '/sync-service-per-pod': syncServicePerPod,
  '/finalize-service-per-pod': finalizeServicePerPod,
  '/healthz': () => ({ status: 200, body: 'ok' }),
};

/** Answers one request to the webhook server. It keeps nothing between requests, so that any number of replicas may answer. */
export function answerWebhook(call: HttpCall): HttpAnswer {
  const path = call.path.split('?')[0] ?? '';
  const handler = Object.hasOwn(HANDLERS, path) ? HANDLERS[path] : undefined;
  return handler ? handler(call) : { status: 404, body: '404 page not found\n' };
}
