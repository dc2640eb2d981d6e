import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import type { Node, Pod } from '../../src/api/kinds/core-v1.ts';
import type { ApiResponse } from '../../src/api/request.ts';
import { nodes, pods } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { SharedInformer } from '../../src/client/informer.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { MetricsApi } from './api.ts';
import { decodeBatch, type MetricsBatch } from './decode.ts';
import { Storage } from './storage.ts';

/** --metric-resolution */
export const METRIC_RESOLUTION_MS = 15_000;
/** A collection that is so much older than it should be makes the liveness probe fail. */
const MAX_DELAY = 1.5;

export interface MetricsServerConfig {
  readonly metricResolutionMs: number;
  /** Asks the kubelet of a node for its page `/metrics/resource`. */
  readonly scrape: (node: string) => Promise<ApiResponse>;
}

/**
 * The program of metrics-server: reads all kubelets every 15 s, and answers for the group metrics.k8s.io from what it read last. metrics-server pkg/server
 * @example const server = new MetricsServer({ actor, client, config }); await server.run();
 */
export class MetricsServer {
  readonly #actor: Actor;
  readonly #config: MetricsServerConfig;
  readonly #nodes: SharedInformer<Node>;
  readonly #pods: SharedInformer<Pod>;
  readonly #storage: Storage;
  readonly #api: MetricsApi;
  #lastTick: number | undefined;

  /** @param options.client logged in as the service account kube-system/metrics-server */
  constructor({ actor, client, config }: { readonly actor: Actor; readonly client: Client; readonly config: MetricsServerConfig }) {
    this.#actor = actor;
    this.#config = config;
    this.#nodes = new SharedInformer({ client: client.resource(nodes) });
    this.#pods = new SharedInformer({ client: client.resource(pods), list: { fieldSelector: 'status.phase=Running' } });
    this.#storage = new Storage(config.metricResolutionMs);
    const wallTime = (): number => actor.simulation.wallTime;
    this.#api = new MetricsApi({ nodes: this.#nodes.store, pods: this.#pods.store, storage: this.#storage, wallTime });
  }

  /** pkg/server/server.go RunUntil: goes on for ever. */
  async run(): Promise<void> {
    this.#nodes.start();
    this.#pods.start();
    await this.#nodes.waitForSync();
    await this.#pods.waitForSync();
    for (;;) {
      const begun = this.#actor.simulation.now;
      this.#lastTick = begun;
      await this.#tick();
      const rest = this.#config.metricResolutionMs - (this.#actor.simulation.now - begun);
      await this.#actor.sleep(Math.max(0, rest), 'background');
    }
  }

  /** Whatever is asked at its port. */
  handle(call: HttpCall): HttpAnswer {
    const path = call.path.split('?')[0];
    if (path === '/readyz') return this.#storage.ready ? OK : failedCheck('readyz', 'metric-storage-ready');
    if (path === '/livez') return this.#isTimely() ? OK : failedCheck('livez', 'metric-collection-timely');
    if (path === '/healthz') return OK;
    return this.#api.handle(call);
  }

  /** pkg/server/server.go tick, pkg/scraper/scraper.go Scrape */
  async #tick(): Promise<void> {
    const names = this.#nodes.store.list().map(({ metadata }) => metadata.name ?? '');
    const batches = new Map<string, MetricsBatch>();
    await Promise.all(
      names.map(async (name) => {
        const { code, text = '' } = await this.#config.scrape(name);
        if (code === 200) batches.set(name, decodeBatch(text));
      }),
    );
    this.#storage.store(batches);
  }

  /** pkg/server/server.go probeMetricCollectionTimely */
  #isTimely(): boolean {
    if (this.#lastTick === undefined) return true;
    return this.#actor.simulation.now - this.#lastTick <= MAX_DELAY * this.#config.metricResolutionMs;
  }
}

const OK: HttpAnswer = { status: 200, body: 'ok' };

/** apiserver pkg/server/healthz */
function failedCheck(endpoint: string, check: string): HttpAnswer {
  return { status: 500, body: `[-]${check} failed: reason withheld\n${endpoint} check failed\n` };
}
