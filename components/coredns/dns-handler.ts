import type { DnsAnswer, DnsQuestion, DnsRecord } from '../../src/api/network.ts';
import type { Random } from '../../src/sim/random.ts';
import type { Forward } from './plugin/forward/forward.ts';
import type { Kubernetes, Target } from './plugin/kubernetes/kubernetes.ts';
import { roundRobin } from './plugin/loadbalance/round-robin.ts';

/** The `ttl` of the kubernetes plugin in kubeadm's Corefile. */
const TTL_SECONDS = 30;
const NXDOMAIN: DnsAnswer = { code: 'NXDOMAIN', answers: [], additional: [] };
const MAX_ALIASES = 8;

/** Asks the plugins, in the order of the Corefile: CoreDNS plugin/kubernetes/handler.go ServeDNS with plugin/backend_lookup.go. */
export class DnsHandler {
  readonly #kubernetes: Kubernetes;
  readonly #forward: Forward;
  readonly #random: Random;

  constructor(options: { kubernetes: Kubernetes; forward: Forward; random: Random }) {
    this.#kubernetes = options.kubernetes;
    this.#forward = options.forward;
    this.#random = options.random;
  }

  resolve(question: DnsQuestion, aliases = 0): DnsAnswer {
    const name = `${question.name.replace(/\.$/, '')}.`.toLowerCase();
    const { type } = question;
    if (type === 'PTR') return this.#ptr(name);
    if (!this.#kubernetes.owns(name)) return this.#forward.resolve({ name, type });
    if (type === 'TXT' && name === `dns-version.${this.#kubernetes.zone}`)
      return found([{ name, type, ttl: TTL_SECONDS, data: '"1.1.0"' }]);
    const targets = this.#kubernetes.records(name);
    if (!targets) return NXDOMAIN;
    if (type === 'SRV') return this.#srv(name, targets);
    return this.#addresses(name, type, { targets, aliases });
  }

  /** plugin/backend_lookup.go A and AAAA */
  #addresses(name: string, type: DnsQuestion['type'], { targets, aliases }: { targets: readonly Target[]; aliases: number }): DnsAnswer {
    const alias = targets.find(({ host }) => !isAddress(host));
    if (alias) {
      const target = `${alias.host.replace(/\.$/, '')}.`;
      const cname: DnsRecord = { name, type: 'CNAME', ttl: TTL_SECONDS, data: target };
      const rest = type === 'CNAME' || aliases > MAX_ALIASES ? [] : this.resolve({ name: target, type }, aliases + 1).answers;
      return found([cname, ...rest]);
    }
    const hosts = new Set(targets.map(({ host }) => host));
    const wanted = [...hosts].filter((host) => type === (host.includes(':') ? 'AAAA' : 'A'));
    return found(
      roundRobin(
        wanted.map((data) => ({ name, type, ttl: TTL_SECONDS, data })),
        this.#random,
      ),
    );
  }

  /** plugin/backend_lookup.go SRV */
  #srv(name: string, targets: readonly Target[]): DnsAnswer {
    const withPort = targets.filter(({ port, host }) => port > 0 && isAddress(host));
    const weight = Math.max(1, Math.floor(100 / Math.max(1, withPort.length)));
    const answers = new Map<string, DnsRecord>();
    const additional = new Map<string, DnsRecord>();
    for (const { name: target, host, port } of withPort) {
      const data = `0 ${weight} ${port} ${target}`;
      answers.set(data, { name, type: 'SRV', ttl: TTL_SECONDS, data });
      const type = host.includes(':') ? 'AAAA' : 'A';
      additional.set(`${target} ${host}`, { name: target, type, ttl: TTL_SECONDS, data: host });
    }
    return { code: 'NOERROR', answers: [...answers.values()], additional: [...additional.values()] };
  }

  /** plugin/kubernetes/reverse.go Reverse */
  #ptr(name: string): DnsAnswer {
    const match = /^((?:\d{1,3}\.){4})in-addr\.arpa\.$/.exec(name);
    const ip = match?.[1]?.slice(0, -1).split('.').reverse().join('.');
    const names = ip === undefined ? [] : this.#kubernetes.reverse(ip);
    if (names.length === 0) return this.#forward.resolve({ name, type: 'PTR' });
    return found(names.map((data) => ({ name, type: 'PTR', ttl: TTL_SECONDS, data })));
  }
}

function found(answers: readonly DnsRecord[]): DnsAnswer {
  return { code: 'NOERROR', answers, additional: [] };
}

function isAddress(host: string): boolean {
  return host.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}
