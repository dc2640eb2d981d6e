// The webhooks of recorded cases. What they do is data, `webhooks` of a case: one rule or a list of rules for each path; the first whose `if` holds (or that has none)
// decides; without any, the review is allowed. Strings may contain `${path}`: the value at that path of the review.
import { type OutboundAnswer, OutboundError, type OutboundRequest } from '../../src/api/outbound.ts';
import type { GoldenCase } from './compare.mjs';
import { answerExtensionServer } from './extension-server.ts';

type Json = Record<string, unknown>;

interface Condition {
  readonly path: string;
  readonly equals?: unknown;
  readonly exists?: boolean;
  readonly matches?: string;
  readonly all?: readonly Condition[];
  readonly any?: readonly Condition[];
}

interface Rule {
  readonly if?: Condition;
  readonly allow?: boolean;
  readonly status?: Json;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Json;
  readonly patch?: readonly unknown[];
  readonly delayMs?: number;
  readonly http?: { readonly status?: number; readonly body?: string };
  readonly raw?: Json;
  readonly convert?: Convert;
}

interface Convert {
  readonly rename?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly set?: Json;
  readonly fail?: string;
}

interface Review extends Json {
  readonly request?: Json & { readonly uid?: string; readonly desiredAPIVersion?: string; readonly objects?: readonly Json[] };
}

interface CaseWithWebhooks extends GoldenCase {
  readonly webhooks?: readonly { readonly path: string; readonly behaviour: Rule | readonly Rule[] }[];
  readonly vars?: { readonly webhook?: string; readonly caBundle?: string };
}

const NOT_LISTENING = 19444;

/** Answers requests to the webhooks of one case. */
export class WebhookServer {
  readonly #behaviours: ReadonlyMap<string, Rule | readonly Rule[]>;
  readonly #authority: string | undefined;
  /** Virtual time. */
  sleep: (ms: number) => Promise<void> = () => Promise.resolve();

  constructor(testCase: GoldenCase) {
    const { webhooks = [], vars, id } = testCase as CaseWithWebhooks;
    this.#behaviours = new Map(webhooks.map(({ path, behaviour }) => [`/${id.split('/').at(-1)}${path}`, behaviour]));
    this.#authority = vars?.caBundle;
  }

  async answer(request: OutboundRequest): Promise<OutboundAnswer> {
    const { url, body = '{}', caBundle } = request;
    const answered = answerExtensionServer(request, this.#authority);
    if (answered) return answered;
    const { port, host, pathname } = new URL(url);
    if (Number(port) === NOT_LISTENING) throw new OutboundError(`dial tcp ${host}: connect: connection refused`);
    if (caBundle !== this.#authority) throw new OutboundError('tls: failed to verify certificate: x509: certificate signed by unknown authority');
    const behaviour = this.#behaviours.get(pathname);
    if (!behaviour) return { status: 404, headers: {}, body: 'no such webhook' };
    const { status, answer, delayMs } = answerOf(behaviour, JSON.parse(body) as Review);
    if (delayMs > 0) await this.sleep(delayMs);
    return { status, headers: {}, body: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  }
}

function answerOf(behaviour: Rule | readonly Rule[], review: Review): { status: number; answer: unknown; delayMs: number } {
  const rules = Array.isArray(behaviour) ? (behaviour as readonly Rule[]) : [behaviour as Rule];
  const chosen = rules.find((rule) => !rule.if || holds(rule.if, review)) ?? {};
  const { delayMs = 0, http, raw, convert, allow = true, status, warnings, auditAnnotations, patch } = fillIn(chosen, review) as Rule;
  if (http) return { status: http.status ?? 200, answer: http.body ?? '', delayMs };
  if (raw) return { status: 200, answer: raw, delayMs };
  const envelope = { apiVersion: review['apiVersion'], kind: review['kind'] };
  const uid = review.request?.uid;
  if (review['kind'] === 'ConversionReview') return { status: 200, answer: { ...envelope, response: { uid, ...convertAll(convert ?? {}, review) } }, delayMs };
  const response = {
    uid,
    allowed: allow,
    ...(status ? { status } : {}),
    ...(warnings ? { warnings } : {}),
    ...(auditAnnotations ? { auditAnnotations } : {}),
    ...(patch ? { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') } : {}),
  };
  return { status: 200, answer: { ...envelope, response }, delayMs };
}

function holds(condition: Condition, review: Review): boolean {
  if (condition.all) return condition.all.every((one) => holds(one, review));
  if (condition.any) return condition.any.some((one) => holds(one, review));
  const values = read(review, condition.path);
  const { exists, matches, equals } = condition;
  if (exists !== undefined) return values.some((value) => value !== undefined && value !== null) === exists;
  if (matches !== undefined) return values.some((value) => typeof value === 'string' && new RegExp(matches).test(value));
  return values.some((value) => JSON.stringify(value) === JSON.stringify(equals));
}

/** The values at a path; `[*]` stands for every item of a list. */
function read(value: unknown, path: string): unknown[] {
  let values = [value];
  for (const part of path.match(/\*|[^.[\]]+/g) ?? [])
    values = values.flatMap((one) => (part === '*' ? (Array.isArray(one) ? (one as unknown[]) : []) : [(one as Json | undefined)?.[part]]));
  return values;
}

function fillIn(value: unknown, review: Review): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([^}]+)\}/g, (_, path: string) => {
      const [found] = read(review, path);
      return typeof found === 'string' ? found : (JSON.stringify(steady(found)) ?? '');
    });
  if (Array.isArray(value)) return value.map((one) => fillIn(one, review));
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, key === 'if' ? one : fillIn(one, review)]));
}

/** Sorted keys, without what differs from run to run. */
function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (!value || typeof value !== 'object') return value;
  const object = value as Json;
  const keys = Object.keys(object).filter((key) => key !== 'managedFields').sort();
  return Object.fromEntries(keys.map((key) => [key, key === 'resourceVersion' ? '<rv>' : steady(object[key])]));
}

function convertAll({ rename = {}, set = {}, fail }: Convert, { request }: Review): Json {
  if (fail) return { result: { status: 'Failure', message: fail } };
  const { desiredAPIVersion = '', objects = [] } = request ?? {};
  const renamed = Object.entries(rename[desiredAPIVersion.split('/')[1] ?? ''] ?? {});
  const convertedObjects = objects.map((object) => {
    const out: Json = structuredClone({ ...object, apiVersion: desiredAPIVersion });
    for (const [from, to] of renamed) {
      const [found] = read(out, from);
      if (found === undefined) continue;
      write(out, to, found);
      write(out, from, undefined);
    }
    for (const [path, value] of Object.entries(set)) write(out, path, value);
    return out;
  });
  return { result: { status: 'Success' }, convertedObjects };
}

function write(object: Json, path: string, value: unknown): void {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let at = object;
  for (const part of parts) {
    at[part] ??= {};
    at = at[part] as Json;
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
}
