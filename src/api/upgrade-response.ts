import type { Upgrade } from './streams.ts';

const BODY = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Upgrade request required',
  reason: 'BadRequest',
  code: 400,
};

// No class that extends Response: the host would load its whole HTTP client for that, in every program that imports this library.
const upgrades = new WeakMap<Response, Upgrade>();

/** The answer to a request that wants to take over its connection. For who did not ask for that, it is a refusal. */
export function upgradeResponse(upgrade: Upgrade): Response {
  const response = new Response(`${JSON.stringify(BODY)}\n`, { status: 400, headers: { 'content-type': 'application/json' } });
  upgrades.set(response, upgrade);
  return response;
}

/** What takes over the connection, if the answer is of that kind. */
export function upgradeOf(response: Response): Upgrade | undefined {
  return upgrades.get(response);
}
