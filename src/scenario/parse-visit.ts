/** Whom a typed line asks. */
export interface TypedVisit {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

const FORM = /^(?:https?:\/\/)?((?:(?:service|svc|ingress|ing)\/)?[\w.-]+)(?::(\d+))?(\/\S*)?$/;
const KINDS: Readonly<Record<string, string>> = { svc: 'service', ing: 'ingress' };

/**
 * Reads whom to send a request to; undefined when it cannot be read. Without a port it is 80.
 * @example parseVisit('service/web:8080/cart') // { host: 'service/web', port: 8080, path: '/cart' }
 */
export function parseVisit(text: string): TypedVisit | undefined {
  const [, host, port = '80', path = '/'] = FORM.exec(text) ?? [];
  if (host === undefined) return undefined;
  return { host: host.replace(/^(svc|ing)(?=\/)/, (kind) => KINDS[kind] ?? kind), port: Number(port), path };
}
