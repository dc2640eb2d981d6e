import { expect, it } from 'vitest';
import { parseScenario } from './scenario.ts';

const read = (fault: string) => {
  const [step] = parseScenario(`title: T\nsteps:\n  - fault: ${fault}\n`, 'test.yaml', () => undefined).steps;
  return step && 'fault' in step ? step.fault : undefined;
};

it.each([
  ['{ slow-network: { target: n1, time: 200ms } }', { fault: 'slow-network', target: 'n1', ms: 200 }],
  ['{ apiserver-outage: 30s }', { fault: 'apiserver-outage', ms: 30_000 }],
  ['{ overload-apiserver: { share: 80% } }', { fault: 'overload-apiserver', share: 0.8 }],
  [
    '{ overload-apiserver: { share: 0%, priority-level: workload-low } }',
    { fault: 'overload-apiserver', share: 0, priorityLevel: 'workload-low' },
  ],
  ['{ remove-cni-config: n1 }', { fault: 'remove-cni-config', node: 'n1' }],
  [
    '{ cloud-refuses: { method: EnsureLoadBalancer, message: quota exceeded } }',
    { fault: 'cloud-refuses', method: 'EnsureLoadBalancer', message: 'quota exceeded' },
  ],
  ['{ delay-watch: { component: kube-scheduler, time: 5s } }', { fault: 'delay-watch', component: 'kube-scheduler', ms: 5_000 }],
])('reads %s', (text, fault) => {
  expect(read(text)).toEqual(fault);
});

it('says what is wrong', () => {
  expect(() => read('{ overload-apiserver: { share: most } }')).toThrow('expected a percentage, such as 80%');
  expect(() => read('{ melt: n1 }')).toThrow('unknown field');
});
