// Goal: the real kubectl works against the bottle. Method: `bottleship serve` as users start it, and the binary that BOTTLESHIP_KUBECTL names.
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedCluster } from './support/served-cluster.ts';

const binary = process.env['BOTTLESHIP_KUBECTL'];
let cluster: ServedCluster;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a kubectl command line, with `stdin` typed in. */
function kubectl(line: string, stdin = ''): Promise<Outcome> {
  const words = ['--kubeconfig', cluster.kubeconfig, '--cache-dir', join(cluster.folder, 'cache'), ...line.split(' ')];
  return new Promise((resolve) => {
    const child = execFile(binary ?? '', words, { timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
    child.stdin?.end(stdin);
  });
}

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: nginx, image: "nginx:1.27", ports: [{ containerPort: 80 }] }] }
`;

describe.skipIf(!binary)('the real kubectl and metrics-server', () => {
  beforeAll(async () => {
    cluster = await ServedCluster.start('--speed', '0', '--addons', 'metrics-server');
  }, 60_000);

  afterAll(async () => {
    expect(await cluster.stop()).toEqual({ code: 0, same: true });
  }, 60_000);

  it('shows what nodes and pods use, and what an autoscaler makes of it', async () => {
    expect((await kubectl('top nodes')).stdout.replace(/ +/g, ' ')).toMatch(
      /^NAME CPU\(cores\) CPU\(%\) MEMORY\(bytes\) MEMORY\(%\) \nn1 \d+m 0% \d+Mi 2% \n/,
    );
    await kubectl(
      'apply -f -',
      DEPLOYMENT.replace('replicas: 3', 'replicas: 1').replace('ports:', 'resources: {requests: {cpu: 100m}}, ports:'),
    );
    await kubectl('expose deploy web --port=80');
    await kubectl('autoscale deploy web --cpu-percent=50 --max=6');
    await cluster.send('POST', '/bottleship/clock?settle');
    expect((await kubectl('top pods')).stderr).toBe('error: metrics not available yet\n');
    await cluster.send('POST', '/bottleship/load?service=web&requestsPerSecond=200');
    await cluster.send('POST', '/bottleship/clock?advance=4m');
    expect((await kubectl('top pods --no-headers')).stdout.match(/ 5\dm /g)).toHaveLength(4);
    expect((await kubectl('get hpa web --no-headers')).stdout).toMatch(/^web +Deployment\/web +cpu: 5\d%\/50% +1 +6 +4 /);
    const { stdout } = await kubectl('describe hpa web');
    expect(stdout.replace(/ +/g, ' ')).toMatch(/resource cpu on pods \(as a percentage of request\): 5\d% \(5\dm\) \/ 50%/);
    expect(stdout).toContain('New size: 4; reason: cpu resource utilization (percentage of request) above target');
  });
});

describe.skipIf(!binary)('the real kubectl (set BOTTLESHIP_KUBECTL to its path)', () => {
  beforeAll(async () => {
    cluster = await ServedCluster.start('--speed', '5');
  }, 60_000);

  afterAll(async () => {
    expect(await cluster.stop()).toEqual({ code: 0, same: true });
  }, 60_000);

  it('shows the nodes', async () => {
    const { stdout } = await kubectl('get nodes');
    expect(stdout.replace(/\d+s/g, 'Ns').replace(/ +/g, ' ')).toBe(
      'NAME STATUS ROLES AGE VERSION\nn1 Ready <none> Ns v1.34.3\nn2 Ready <none> Ns v1.34.3\n',
    );
  });

  it('applies, follows a rollout, scales and deletes', async () => {
    expect(await kubectl('apply -f -', DEPLOYMENT)).toMatchObject({ code: 0, stdout: 'deployment.apps/web created\n', stderr: '' });
    expect((await kubectl('rollout status deploy/web')).stdout).toContain('deployment "web" successfully rolled out');
    expect(await kubectl('apply -f -', DEPLOYMENT)).toMatchObject({ stdout: 'deployment.apps/web unchanged\n' });
    expect((await kubectl('scale deploy/web --replicas=1')).stdout).toBe('deployment.apps/web scaled\n');
    expect((await kubectl('describe deploy web')).stdout).toContain('Scaled down replica set');
    expect((await kubectl('delete deploy web')).stdout).toBe('deployment.apps "web" deleted from default namespace\n');
  });

  it('creates by generators, whose requests are in protobuf', async () => {
    expect((await kubectl('create configmap settings --from-literal=mode=dark')).stdout).toBe('configmap/settings created\n');
    expect((await kubectl('get cm settings -o jsonpath={.data.mode}')).stdout).toBe('dark');
  });

  it('explains and refuses by the OpenAPI documents', async () => {
    expect((await kubectl('explain pod.spec.restartPolicy')).stdout).toMatch(/ENUM:\s+Always\s+Never\s+OnFailure/);
    const { code, stderr } = await kubectl('apply -f -', DEPLOYMENT.replace('replicas:', 'replica:'));
    expect(code).toBe(1);
    expect(stderr).toContain('strict decoding error: unknown field "spec.replica"');
  });

  it('runs commands in pods, and reads their logs', async () => {
    await kubectl('run talk --image=busybox:1.36 --command -- sleep 1000');
    expect((await kubectl('wait --for=condition=Ready pod/talk')).code).toBe(0);
    expect(await kubectl('exec talk -- echo hello')).toMatchObject({ code: 0, stdout: 'hello\n' });
    expect(await kubectl('exec -i talk -- cat', 'typed in\n')).toMatchObject({ code: 0, stdout: 'typed in\n' });
    expect(await kubectl('exec -i talk -- sh', 'x=5\necho $x\nexit 4\n')).toMatchObject({ code: 4, stdout: '5\n' });
    expect((await kubectl('logs talk')).code).toBe(0);
  });

  it('reaches Services through the API server, also by its own proxy', async () => {
    await kubectl('run web --image=nginx:1.27 --port=80 --expose');
    expect((await kubectl('wait --for=condition=Ready pod/web')).code).toBe(0);
    await cluster.until('/api/v1/namespaces/default/endpoints/web', ({ body }) => body.subsets?.[0]?.addresses);
    const path = '/api/v1/namespaces/default/services/web:80/proxy/';
    expect((await kubectl(`get --raw ${path}`)).stdout).toContain('Welcome to nginx!');
    const proxy = spawn(binary ?? '', ['--kubeconfig', cluster.kubeconfig, 'proxy', '--port=0']);
    const address = await new Promise<string>((resolve) => {
      proxy.stdout.on('data', (chunk: Buffer) => resolve(/\S+:\d+/.exec(chunk.toString())?.[0] ?? ''));
    });
    expect(await (await fetch(`http://${address}${path}`)).text()).toContain('Welcome to nginx!');
    expect(((await (await fetch(`http://${address}/version`)).json()) as { gitVersion: string }).gitVersion).toBe('v1.34.3');
    proxy.kill();
  });
});
