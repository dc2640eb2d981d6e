import { expect, it } from 'vitest';
import type { CniRun } from '../../../src/api/cni.ts';
import { RuntimeFixture } from '../../../test/support/containers.ts';
import { CNI_CONF_DIR } from './network-config.ts';

const pod = (name: string, more: object = {}) => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}`, attempt: 0 },
  hostname: name,
  hostNetwork: false,
  logDirectory: '',
  ...more,
});

function watched(): { fixture: RuntimeFixture; runs: string[] } {
  const fixture = new RuntimeFixture();
  const runs: string[] = [];
  fixture.containerd.cni.listen(({ environment, stdin, error }: CniRun) =>
    runs.push(
      `${environment.command} ${environment.ifname} ${stdin.type}${stdin.prevResult ? ' after another' : ''}${error ? `: ${error.message}` : ''}`,
    ),
  );
  return { fixture, runs };
}

it('calls the plugins of the chain forwards, and backwards when the sandbox is stopped', async () => {
  const { fixture, runs } = watched();
  const id = await fixture.call(() => fixture.runtime.runPodSandbox(pod('a')));
  expect(runs.splice(0)).toEqual(['ADD lo loopback', 'ADD eth0 bridge', 'ADD eth0 portmap after another']);
  await fixture.call(() => fixture.runtime.stopPodSandbox(id));
  expect(runs).toEqual(['DEL lo loopback after another', 'DEL eth0 portmap after another', 'DEL eth0 bridge after another']);
});

it('takes off again what could not be connected', async () => {
  const { fixture, runs } = watched();
  fixture.containerd.configureNetwork({ subnet: '10.1.0.0/24', rangeStart: '10.1.0.9', rangeEnd: '10.1.0.9' });
  await fixture.call(() => fixture.runtime.runPodSandbox(pod('a')));
  runs.length = 0;
  await expect(fixture.call(() => fixture.runtime.runPodSandbox(pod('b')))).rejects.toThrow(
    /^failed to setup network for sandbox "[0-9a-f]{64}": plugin type="bridge" failed \(add\): failed to allocate for range 0: no IP addresses available in range set: 10\.1\.0\.9-10\.1\.0\.9$/,
  );
  expect(runs.filter((run) => run.startsWith('DEL'))).toHaveLength(3);
});

it('has no network without a configuration, and one again as soon as there is a file', async () => {
  const { fixture } = watched();
  const network = async () => (await fixture.call(() => fixture.runtime.status())).find(({ type }) => type === 'NetworkReady');
  fixture.containerd.removeNetworkConfiguration();
  expect(await network()).toMatchObject({ status: false, message: 'Network plugin returns error: cni plugin not initialized' });
  await expect(fixture.call(() => fixture.runtime.runPodSandbox(pod('a')))).rejects.toThrow('cni plugin not initialized');
  fixture.containerd.files.writeFile(`${CNI_CONF_DIR}/05-other.conf`, '{"name":"other","cniVersion":"1.0.0","type":"calico"}');
  expect(await network()).toMatchObject({ status: true });
  await expect(fixture.call(() => fixture.runtime.runPodSandbox(pod('a')))).rejects.toThrow(
    'plugin type="calico" failed (add): failed to find plugin "calico" in path [/opt/cni/bin]',
  );
});

it('checks what it has set up', async () => {
  const { fixture, runs } = watched();
  const config = pod('a');
  const attachment = fixture.containerd.cni.setup('x', config);
  runs.length = 0;
  fixture.containerd.cni.check('x', config, attachment);
  expect(runs).toEqual(['CHECK lo loopback after another', 'CHECK eth0 bridge after another', 'CHECK eth0 portmap after another']);
  fixture.containerd.cni.remove('x', config, attachment);
  expect(() => fixture.containerd.cni.check('x', config, attachment)).toThrow(
    'plugin type="bridge" failed (check): host-local: Failed to find address added by container x',
  );
});
