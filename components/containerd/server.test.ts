import { describe, expect, test } from 'vitest';
import { RuntimeError } from '../../src/api/cri.ts';
import { RuntimeFixture } from '../../test/support/containers.ts';

const at = { host: '10.128.4.2', port: 80 };

describe('the program of an image', () => {
  test('serves, and ends with its own code when it is told to', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'nginx:1.27' });
    await fixture.simulation.advance(10);
    const answer = await fixture.call(() => fixture.runtime.network.http({ method: 'GET', path: '/', headers: {}, ...at }, 1000));
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('Welcome to nginx!') });
    expect(await fixture.call(() => fixture.runtime.network.connect({ ...at, port: 81 }, 1000))).toBe('refused');
    expect(await fixture.call(() => fixture.runtime.network.connect({ host: '10.1.1.1', port: 80 }, 1000))).toBe('timeout');
    await fixture.call(() => fixture.runtime.stopContainer(id, 30));
    expect(await fixture.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 0, reason: 'Completed' });
    expect(await fixture.call(() => fixture.runtime.network.connect(at, 1000))).toBe('refused');
  });

  test('does as it is declared: starts late, falls ill, ends', async () => {
    const image = {
      name: 'app:1',
      startDelayMs: 2000,
      ports: [80],
      health: [{ fromMs: 5000, healthy: false }],
      exit: { afterMs: 8000, code: 3 },
      logs: ['hello'],
      pull: { ms: 1234 },
    };
    const fixture = new RuntimeFixture({ images: [image] });
    const id = await fixture.start({ image: 'app:1' });
    const status = async (): Promise<unknown> => {
      const answer = await fixture.call(() => fixture.runtime.network.http({ method: 'GET', path: '/', headers: {}, ...at }, 1000));
      return typeof answer === 'string' ? answer : answer.status;
    };
    expect(await status()).toBe('refused');
    await fixture.simulation.advance(2000);
    expect(await status()).toBe(200);
    await fixture.simulation.advance(3000);
    expect(await status()).toBe(500);
    await fixture.simulation.advance(3000);
    expect(await fixture.status(id)).toMatchObject({ exitCode: 3, reason: 'Error' });
    expect(await fixture.logs(id)).toEqual(['hello']);
  });

  test('runs out of memory', async () => {
    const fixture = new RuntimeFixture({ images: [{ name: 'greedy', exit: { afterMs: 100, code: 137, reason: 'OOMKilled' } }] });
    const id = await fixture.start({ image: 'greedy' });
    await fixture.simulation.advance(200);
    expect(await fixture.status(id)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  test('an unknown image runs its unknown command until it is stopped, and its health command succeeds', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'example.com/app:v1', command: ['/app/server', '--flag'] });
    await fixture.simulation.advance(3600_000);
    expect(await fixture.status(id)).toMatchObject({ state: 'CONTAINER_RUNNING' });
    expect(await fixture.call(() => fixture.runtime.execSync(id, ['/bin/healthy'], 1000))).toMatchObject({ exitCode: 0 });
  });

  test('a command that is not in a known image cannot be started', async () => {
    const fixture = new RuntimeFixture();
    await expect(fixture.start({ image: 'busybox:1.36', command: ['/bin/nope'] })).rejects.toThrow(
      'exec: "/bin/nope": stat /bin/nope: no such file or directory: unknown',
    );
    expect(fixture.containerd.runtime.listPods().flatMap(({ containers }) => containers)).toMatchObject([
      { exitCode: 128, reason: 'StartError', startedAt: 0 },
    ]);
  });

  test('an entry point script hands over to its arguments', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'nginx:1.27', args: ['x', 'y'] });
    await fixture.simulation.settle();
    expect(await fixture.status(id)).toMatchObject({ exitCode: 127 });
    expect(await fixture.logs(id)).toEqual(['/docker-entrypoint.sh: x: not found']);
  });
});

describe('processes that join a container', () => {
  test('see its files; their output and status come back', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'busybox:1.36', command: ['sh', '-c', 'echo ready > /tmp/state; sleep 3600'] });
    await fixture.simulation.advance(1);
    expect(await fixture.call(() => fixture.runtime.execSync(id, ['cat', '/tmp/state'], 1000))).toEqual({
      stdout: 'ready\n',
      stderr: '',
      exitCode: 0,
    });
    expect(await fixture.call(() => fixture.runtime.execSync(id, ['sh', '-c', 'echo no >&2; exit 4'], 1000))).toEqual({
      stdout: '',
      stderr: 'no\n',
      exitCode: 4,
    });
  });

  test('are ended when they take too long', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'busybox:1.36', command: ['sleep', '3600'] });
    const before = fixture.simulation.now;
    await expect(fixture.call(() => fixture.runtime.execSync(id, ['sleep', '10'], 1000))).rejects.toMatchObject({
      reason: 'DeadlineExceeded',
    });
    expect(fixture.simulation.now - before).toBeLessThan(1100);
  });

  test('end with their container', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'busybox:1.36', command: ['sleep', '5'] });
    expect(await fixture.call(() => fixture.runtime.execSync(id, ['sleep', '60'], 0))).toMatchObject({ exitCode: 137 });
  });
});

describe('the node', () => {
  test('goes down: all that ran has ended when it is up again', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'nginx:1.27' });
    fixture.containerd.actor.crash();
    await expect(fixture.status(id)).rejects.toThrow();
    fixture.containerd.actor.start();
    await fixture.simulation.settle();
    expect(await fixture.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 255, reason: 'Unknown' });
    const [pod] = await fixture.call(() => fixture.runtime.listPods());
    expect(pod?.sandboxes).toMatchObject([{ state: 'SANDBOX_NOTREADY', ips: [] }]);
  });

  test('pulls an image once a time, with a duration of its own', async () => {
    const fixture = new RuntimeFixture();
    const before = fixture.simulation.now;
    const image = await fixture.call(() => fixture.runtime.pullImage('redis:7'));
    expect(image).toMatchObject({ repoTags: ['docker.io/library/redis:7'], size: 45_000_000 });
    expect(fixture.simulation.now - before).toBeGreaterThan(1000);
    await expect(fixture.call(() => fixture.runtime.pullImage('localhost:5999/nope:1'))).rejects.toBeInstanceOf(RuntimeError);
  });

  test('removes what is asked', async () => {
    const fixture = new RuntimeFixture();
    await fixture.start({ image: 'nginx:1.27' });
    const [pod] = await fixture.call(() => fixture.runtime.listPods());
    await fixture.call(() => fixture.runtime.removePodSandbox(pod?.sandboxes[0]?.id ?? ''));
    expect(await fixture.call(() => fixture.runtime.listPods())).toEqual([]);
  });

  test('has one container of each name: another of the same attempt has to wait until it is removed', async () => {
    const fixture = new RuntimeFixture();
    const id = await fixture.start({ image: 'nginx:1.27' });
    const [pod] = await fixture.call(() => fixture.runtime.listPods());
    const sandbox = pod?.sandboxes[0]?.id ?? '';
    const imageRef = (await fixture.call(() => fixture.runtime.imageStatus('nginx:1.27')))?.id ?? '';
    const config = {
      name: 'c1',
      image: 'nginx:1.27',
      attempt: 0,
      imageRef,
      envs: [],
      mounts: [],
      linux: {},
      stdin: false,
      tty: false,
      annotations: {},
    };
    const again = (): Promise<string> => fixture.call(() => fixture.runtime.createContainer(sandbox, config));
    await expect(again()).rejects.toThrow(
      `failed to reserve container name "c1_c1_default_uid-c1_0": name "c1_c1_default_uid-c1_0" is reserved for "${id}"`,
    );
    await fixture.call(() => fixture.runtime.stopContainer(id, 0));
    await fixture.call(() => fixture.runtime.removeContainer(id));
    expect(await again()).not.toBe(id);
  });
});
