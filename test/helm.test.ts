// Goal: the real helm manages releases in the bottle. Method: `bottleship serve` as users start it, and the binary that BOTTLESHIP_HELM names.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, ServedCluster } from './support/served-cluster.ts';

const binary = process.env['BOTTLESHIP_HELM'];
const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/web';
let cluster: ServedCluster;

/** Runs a helm command line in the folder of the cluster: what it printed. */
function helm(line: string): Promise<string> {
  const { folder, kubeconfig } = cluster;
  const homes = Object.fromEntries(['CACHE', 'CONFIG', 'DATA'].map((name) => [`HELM_${name}_HOME`, join(folder, `helm-${name}`)]));
  const env = { ...process.env, ...homes, KUBECONFIG: kubeconfig };
  return new Promise((resolve, reject) => {
    execFile(binary ?? '', line.split(' '), { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`helm ${line}: ${stderr}`));
      else resolve(stdout);
    });
  });
}

const status = async (): Promise<Body> => (await cluster.send('GET', DEPLOYMENT)).body.status;

describe.skipIf(!binary)('the real helm (set BOTTLESHIP_HELM to its path)', () => {
  beforeAll(async () => {
    cluster = await ServedCluster.start('--speed', '5');
    await helm('create web');
  }, 60_000);

  afterAll(async () => {
    expect(await cluster.stop()).toEqual({ code: 0, same: true });
  }, 60_000);

  it('installs, upgrades and rolls back a chart, and waits for each', async () => {
    expect(await helm('install web ./web --wait --timeout 50s')).toContain('STATUS: deployed');
    expect(await status()).toMatchObject({ readyReplicas: 1, updatedReplicas: 1 });
    expect(await helm('upgrade web ./web --set replicaCount=3 --wait --timeout 50s')).toContain('has been upgraded');
    expect(await status()).toMatchObject({ readyReplicas: 3, updatedReplicas: 3 });
    expect(await helm('rollback web 1 --wait --timeout 50s')).toContain('Rollback was a success');
    expect((await cluster.send('GET', DEPLOYMENT)).body.spec.replicas).toBe(1);
    const history = JSON.parse(await helm('history web -o json')) as { status: string; description: string }[];
    expect(history.map((one) => `${one.status}: ${one.description}`)).toEqual([
      'superseded: Install complete',
      'superseded: Upgrade complete',
      'deployed: Rollback to 1',
    ]);
  });

  it("runs a chart's test in the cluster", async () => {
    expect(await helm('test web --timeout 50s')).toMatch(/Phase: +Succeeded/);
  });

  it('uninstalls it', async () => {
    expect(await helm('uninstall web --wait --timeout 50s')).toBe('release "web" uninstalled\n');
    expect((await cluster.send('GET', DEPLOYMENT)).code).toBe(404);
    expect(await helm('list -o json')).toBe('[]\n');
  });
});
