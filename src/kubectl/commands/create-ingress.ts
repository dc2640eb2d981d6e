import type { CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';

const RULE =
  /^(?<host>[\w*\-.]*)(?<path>\/.*?)(?<prefix>\*)?=(?<service>[a-z0-9]([-a-z0-9]*[a-z0-9])?):(?<port>[a-z0-9]([-a-z0-9]*[a-z0-9])?)(?<tls>,tls(=(?<secret>[a-z0-9.-]+))?)?$/;
const BACKEND = /^(?<service>[a-z0-9]([-a-z0-9]*[a-z0-9])?):(?<port>[a-z0-9]([-a-z0-9]*[a-z0-9])?)$/;

interface Rule {
  readonly host: string;
  readonly path: object;
  readonly tls: boolean;
  readonly secret: string | undefined;
}

/** What `kubectl create ingress --rule=HOST/PATH=SERVICE:PORT[,tls[=SECRET]]` stands for. @throws KubectlError */
export function ingressSpec({ flags }: CommandContext): object {
  const fallback = flags.string('default-backend');
  const rules = flags.list('rule').map(readRule);
  if (!rules.length && fallback === undefined)
    throw new KubectlError(
      'error: not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
    );
  const hosts = [...new Set(rules.map(({ host }) => host))];
  const className = flags.string('class');
  const tls = tlsOf(rules);
  return {
    ...(fallback === undefined ? {} : { defaultBackend: backendOf(fallback) }),
    ...(className ? { ingressClassName: className } : {}),
    ...(rules.length
      ? {
          rules: hosts.map((host) => ({
            ...(host ? { host } : {}),
            http: { paths: rules.filter((rule) => rule.host === host).map(({ path }) => path) },
          })),
        }
      : {}),
    ...(tls.length ? { tls } : {}),
  };
}

function readRule(text: string): Rule {
  const { host = '', path, prefix, service: name, port = '', tls, secret } = RULE.exec(text)?.groups ?? {};
  if (name === undefined)
    throw new KubectlError(`error: rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  return {
    host,
    path: { backend: serviceBackend(name, port), path, pathType: prefix ? 'Prefix' : 'Exact' },
    tls: tls !== undefined,
    secret,
  };
}

function backendOf(text: string): object {
  const { service: name, port = '' } = BACKEND.exec(text)?.groups ?? {};
  if (name === undefined) throw new KubectlError('error: default-backend should be in format servicename:serviceport');
  return serviceBackend(name, port);
}

const serviceBackend = (name: string, port: string): object => ({
  service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } },
});

/** One entry for each secret, with the hosts that it serves. */
function tlsOf(rules: readonly Rule[]): object[] {
  const bySecret = new Map<string | undefined, Set<string>>();
  for (const { host, tls, secret } of rules) if (tls) bySecret.set(secret, (bySecret.get(secret) ?? new Set()).add(host));
  return [...bySecret].map(([secretName, hosts]) => ({
    ...([...hosts].some(Boolean) ? { hosts: [...hosts].filter(Boolean) } : {}),
    ...(secretName ? { secretName } : {}),
  }));
}
