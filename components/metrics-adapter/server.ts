import type { HttpAnswer, HttpCall } from '../../src/api/cri.ts';
import type { ConfigMap, Pod } from '../../src/api/kinds/core-v1.ts';
import { configmaps, pods } from '../../src/api/resources.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import type { Client } from '../../src/client/client.ts';
import { SharedInformer } from '../../src/client/informer.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { CustomMetrics } from './custom-metrics.ts';
import { ExternalMetrics } from './external-metrics.ts';
import { VALUES_SELECTOR } from './values.ts';

export interface MetricsAdapterConfig {
  /** Requests a second that arrive at a pod's address as a load: what Prometheus would have counted. */
  readonly requestsPerSecond: (podIp: string) => number;
}

/**
 * The groups custom.metrics.k8s.io and external.metrics.k8s.io, as an adapter in front of a monitoring system serves them: from the load on pods, and from values
 * that are written into ConfigMaps. sigs.k8s.io/custom-metrics-apiserver
 */
export class MetricsAdapter {
  readonly #configMaps: SharedInformer<ConfigMap>;
  readonly #pods: SharedInformer<Pod>;
  readonly #custom: CustomMetrics;
  readonly #external: ExternalMetrics;

  constructor({ actor, client, config }: { readonly actor: Actor; readonly client: Client; readonly config: MetricsAdapterConfig }) {
    this.#configMaps = new SharedInformer({ client: client.resource(configmaps), list: { labelSelector: VALUES_SELECTOR } });
    this.#pods = new SharedInformer({ client: client.resource(pods) });
    const parts = { configMaps: this.#configMaps.store, wallTime: () => actor.simulation.wallTime };
    this.#custom = new CustomMetrics({ ...parts, ...config, pods: this.#pods.store });
    this.#external = new ExternalMetrics(parts);
  }

  async run(): Promise<void> {
    this.#configMaps.start();
    this.#pods.start();
    await this.#configMaps.waitForSync();
    await this.#pods.waitForSync();
  }

  /** Whatever is asked at its port. */
  handle({ path }: HttpCall): HttpAnswer {
    const { pathname, searchParams } = new URL(path, 'https://metrics-adapter');
    const [root, group, ...rest] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
    if (pathname === '/healthz' || pathname === '/readyz' || pathname === '/livez') return { status: 200, body: 'ok' };
    try {
      if (root === 'apis' && group === 'custom.metrics.k8s.io') return json(200, this.#custom.serve(rest, searchParams));
      if (root === 'apis' && group === 'external.metrics.k8s.io') return json(200, this.#external.serve(rest, searchParams));
      throw unknownPath();
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
      return json(error.code, error.status);
    }
  }
}

function json(status: number, body: object): HttpAnswer {
  return { status, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function unknownPath(): ApiStatusError {
  return new ApiStatusError({ message: 'the server could not find the requested resource', reason: 'NotFound', code: 404 });
}
