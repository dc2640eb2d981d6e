// Runs one workload on the nearest peer, the npm package @ngrok/webernetes, and prints what it measured as JSON. It loads only through a bundler: main.ts bundles it.
import { BaseImage, Cluster } from '@ngrok/webernetes';

class WebImage extends BaseImage {
  static imageName = 'web';
  static imageVersion = '1.0';
  defaultCommand = ['server'];

  async exec(context) {
    context.listenHttp(80, async () => ({ statusCode: 200, body: 'ok' }));
    return await context.waitUntilKilled();
  }
}

function deployment(replicas) {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1.0' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

async function measure(replicas, limitMs) {
  const start = performance.now();
  const cluster = new Cluster();
  cluster.registerImage(WebImage);
  await cluster.init();
  let ready = 0;
  const isReady = (pod) => pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  const seen = new Set();
  const done = new Promise((resolve) => {
    cluster.informer('pods', (type, pod) => {
      const uid = pod.metadata?.uid ?? '';
      if (type !== 'delete' && isReady(pod) && pod.metadata?.labels?.['app'] === 'web' && !seen.has(uid)) {
        seen.add(uid);
        ready++;
      }
      if (ready >= replicas) resolve();
    });
  });
  const bootMs = performance.now() - start;
  const applied = performance.now();
  if (replicas) {
    await cluster.apply([deployment(replicas)]);
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, limitMs))]);
  }
  const readyMs = performance.now() - applied;
  process.stdout.write(`${JSON.stringify({ bootMs, readyMs, ready, peakMb: process.resourceUsage().maxRSS / 1024 })}\n`);
  process.exit(0);
}

await measure(Number(process.argv[2] ?? 0), Number(process.argv[3] ?? 60_000));
