import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { podOf } from '../../../test/support/runtime-states.ts';
import type { InsufficientResource } from '../lifecycle/admission.ts';
import { podRequest } from '../lifecycle/pod-request.ts';
import { podsToPreempt } from './pods-to-preempt.ts';

const critical = podOf({ priority: 2_000_000_000, containers: [{ name: 'c' }] }, { name: 'critical' });

/** A pod that asks for so much cpu, and whose limits are as high: 0 is BestEffort. */
const pod = (name: string, cpu: number, { guaranteed = false, priority = 0 } = {}): Pod => {
  const amounts = { cpu: `${cpu}m`, ...(guaranteed ? { memory: '1Mi' } : {}) };
  const resources = cpu === 0 ? {} : { requests: amounts, ...(guaranteed ? { limits: amounts } : {}) };
  return podOf({ priority, containers: [{ name: 'c', resources }] }, { name, uid: name });
};

const missing = (resource: string, quantity: number): InsufficientResource => ({ resource, requested: quantity, used: 0, capacity: 0 });

function victims(pods: readonly Pod[], ...insufficient: InsufficientResource[]): (string | undefined)[] {
  const allocated = pods.map((one) => ({ pod: one, request: podRequest(one) }));
  return podsToPreempt(critical, allocated, insufficient).map((victim) => victim.pod.metadata.name);
}

describe('pods that end for a critical one', () => {
  it('are the smallest one that frees enough', () => {
    expect(victims([pod('small', 100), pod('fitting', 500), pod('large', 900)], missing('cpu', 400))).toEqual(['fitting']);
  });

  it('are as few as can be when none is enough', () => {
    expect(victims([pod('a', 100), pod('b', 300), pod('c', 200)], missing('cpu', 400))).toEqual(['b', 'a']);
  });

  it('are of the lowest class of service that will do', () => {
    const guaranteed = pod('guaranteed', 500, { guaranteed: true });
    expect(victims([guaranteed, pod('burstable', 500)], missing('cpu', 400))).toEqual(['burstable']);
    expect(victims([guaranteed, pod('burstable', 100)], missing('cpu', 500))).toEqual(['guaranteed']);
    expect(victims([pod('burstable', 100), pod('best', 0)], missing('pods', 1))).toEqual(['best']);
  });

  it('are never critical themselves, unless they are worth less', () => {
    const other = pod('other', 500, { priority: 2_000_000_000 });
    expect(() => victims([other, pod('small', 100)], missing('cpu', 400), missing('memory', 5))).toThrow(
      'no set of running pods found to reclaim resources: [(res: cpu, q: 300), (res: memory, q: 5), ]',
    );
    const above = { ...critical, spec: { ...critical.spec, containers: [{ name: 'c' }], priority: 2_000_001_000 } };
    const [victim] = podsToPreempt(above, [{ pod: other, request: podRequest(other) }], [missing('cpu', 400)]);
    expect(victim?.pod.metadata.name).toBe('other');
  });
});
