import { type Outbound, OutboundError } from '../api/outbound.ts';

/**
 * Lets a function with the shape of a fetch handler answer the requests that leave the cluster: to admission and conversion webhooks with a URL, to extension API
 * servers. It runs inside the process, at once in virtual time; TLS is not looked at. What it throws counts as a connection that failed.
 * @example await createTestCluster({ outbound: answerOutside(async (request) => Response.json(review(await request.json()))) })
 */
export function answerOutside(handler: (request: Request) => Response | Promise<Response>): Outbound {
  return async ({ method, url, headers, body }) => {
    const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as [string, string]));
    const request = new Request(url, { method, headers: lines, ...(body === undefined ? {} : { body }) });
    const response = await handlerAnswer(handler, request);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };
}

async function handlerAnswer(handler: (request: Request) => Response | Promise<Response>, request: Request): Promise<Response> {
  try {
    return await handler(request);
  } catch (error) {
    throw new OutboundError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
