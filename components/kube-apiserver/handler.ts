import type { ApiHandler, ApiRequest, ApiResponse } from '../../src/api/request.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import { proxyTo } from './aggregator/proxy.ts';
import { recordAudit } from './audit.ts';
import { forbiddenByAuthorizer } from './authorization/forbidden.ts';
import { countRequest } from './endpoints/metrics.ts';
import { handleNonResource } from './endpoints/non-resource.ts';
import { handleResource, type Notes } from './endpoints/resource-handler.ts';
import { assertTimeout } from './request-timeout.ts';
import type { ServerCore } from './server-core.ts';
import { Stages } from './stages.ts';
import { runSteps, type Steps } from './steps.ts';

/** The chain that each request goes through, in process or over HTTP. apiserver pkg/server.DefaultBuildHandlerChain */
export class Handler implements ApiHandler {
  readonly #server: ServerCore;

  constructor(server: ServerCore) {
    this.#server = server;
  }

  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    return runSteps(this.#serve(request));
  }

  *#serve(request: ApiRequest): Steps<ApiResponse> {
    const received = this.#server.simulation.wallTime;
    const stages = new Stages(this.#server, request);
    const warnings: string[] = [];
    let response: ApiResponse;
    try {
      assertTimeout(request);
      stages.enter('authentication');
      const rejection = this.#server.flowControl?.reject(request);
      if (rejection) stages.refuse('Too many requests, please try again later.');
      else {
        stages.enter('authorization');
        this.#authorize(request);
      }
      response = rejection ?? (yield* this.#answer(request, { stages, warnings }));
      stages.finish();
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
      stages.refuse(error.message);
      response = { code: error.code, body: error.status };
    }
    if (warnings.length > 0) response = { ...response, warnings };
    countRequest(this.#server, request, response.code);
    recordAudit(this.#server, request, { response, received, annotations: stages.annotations });
    return response;
  }

  *#answer(request: ApiRequest, notes: Notes): Steps<ApiResponse> {
    const { info } = request;
    const remote = this.#server.aggregator?.serverOf(info);
    if (remote) return yield* proxyTo(this.#server, remote, request);
    return info.isResourceRequest ? yield* handleResource(this.#server, request, notes) : handleNonResource(this.#server, request);
  }

  #authorize({ info, user, query }: ApiRequest): void {
    const { decision, reason } = this.#server.authorizer.authorize({ ...info, user, fieldSelector: query['fieldSelector'] });
    if (decision !== 'allow') throw forbiddenByAuthorizer({ ...info, user }, reason);
  }
}
