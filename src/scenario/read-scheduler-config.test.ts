import { expect, it } from 'vitest';
import { parseScenario } from './scenario.ts';

// Goal: the configuration of schedulers comes from a scenario or from a file beside it, and what is wrong with it is said with its place.

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const FILES: Readonly<Record<string, string>> = {
  'packing.yaml': `${HEAD}profiles:\n- schedulerName: packer\n`,
  'wrong.yaml': `${HEAD}profile: []\n`,
};
const read = (fields: string) => parseScenario(`title: t\n${fields}steps: []\n`, 'a.yaml', (name) => FILES[name]).config;

it('reads a file beside the scenario', () => {
  expect(read('schedulerConfig: packing.yaml\n').schedulerConfig?.profiles).toEqual([{ schedulerName: 'packer' }]);
});

it('reads more schedulers', () => {
  const [scheduler] = read('schedulers: [{ name: second, config: packing.yaml }]\n').schedulers ?? [];
  expect(scheduler).toMatchObject({ name: 'second', config: { profiles: [{ schedulerName: 'packer' }] } });
});

it('says what is wrong and where', () => {
  expect(() => read('schedulerConfig: wrong.yaml\n')).toThrow('wrong.yaml:1:1: strict decoding error: unknown field "profile"');
  expect(() => read('schedulerConfig: { kind: Pod, apiVersion: v1 }\n')).toThrow('no kind "Pod" is registered for version "v1"');
  expect(() => read('schedulerConfig: not-there.yaml\n')).toThrow('there is no file "not-there.yaml" beside the scenario');
});
