import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { formatTime } from '../../../src/api/time.ts';
import { Random } from '../../../src/sim/random.ts';
import { firstActivePodsWithRanks, POD_DELETION_COST, sortActivePods } from './active-pods-order.ts';

const NOW = Date.UTC(2026, 0, 1);

interface Traits {
  node?: string;
  phase?: string;
  /** Seconds ago. */
  ready?: number;
  created?: number;
  cost?: string;
  restarts?: number;
}

function pod(name: string, { node = 'n1', phase = 'Running', ready, created = 1000, cost, restarts = 0 }: Traits = {}): Pod {
  return {
    metadata: {
      name,
      uid: name,
      creationTimestamp: formatTime(NOW - created * 1000),
      ...(cost === undefined ? {} : { annotations: { [POD_DELETION_COST]: cost } }),
    },
    spec: { containers: [], ...(node ? { nodeName: node } : {}) },
    status: {
      phase,
      ...(ready === undefined
        ? {}
        : { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(NOW - ready * 1000) }] }),
      containerStatuses: [{ name: 'c', image: '', imageID: '', ready: ready !== undefined, restartCount: restarts }],
    },
  };
}

/** How many of the pods share the node. */
function ranksByNode(pods: readonly Pod[]): (pod: Pod) => number {
  return (pod) => pods.filter((other) => other.spec?.nodeName === pod.spec?.nodeName).length;
}

function order(...pods: Pod[]): (string | undefined)[] {
  return firstActivePodsWithRanks(pods, pods.length, { rankOf: ranksByNode(pods), now: NOW }).map(({ metadata }) => metadata.name);
}

describe('the order of a scale-down', () => {
  it('takes pods without a node first, then by phase, then unready ones', () => {
    const pods = [
      pod('ready', { ready: 5 }),
      pod('running'),
      pod('unknown', { phase: 'Unknown' }),
      pod('pending', { phase: 'Pending' }),
      pod('unassigned', { node: '' }),
    ];
    expect(order(...pods)).toEqual(['unassigned', 'pending', 'unknown', 'running', 'ready']);
  });

  it('takes the lowest deletion cost next; what is no number counts as 0', () => {
    expect(order(pod('dear', { cost: '10' }), pod('odd', { cost: '01' }), pod('cheap', { cost: '-1' }))).toEqual(['cheap', 'odd', 'dear']);
  });

  it('takes from the fullest node before it looks at ages', () => {
    expect(order(pod('alone', { node: 'n2', ready: 1 }), pod('a', { ready: 100 }), pod('b', { ready: 100 }))).toEqual(['a', 'b', 'alone']);
  });

  it('takes the one that is ready for the shortest time, in powers of two; within one the UID decides', () => {
    expect(order(pod('old', { ready: 100 }), pod('young', { ready: 10 }))).toEqual(['young', 'old']);
    expect(order(pod('b', { ready: 18 }), pod('a', { ready: 20 }))).toEqual(['a', 'b']);
  });

  it('takes the one with most restarts, then the youngest', () => {
    expect(order(pod('steady', { created: 1 }), pod('crashing', { restarts: 3, created: 100 }))).toEqual(['crashing', 'steady']);
    expect(order(pod('old', { created: 100 }), pod('young', { created: 1 }))).toEqual(['young', 'old']);
  });
});

describe('firstActivePodsWithRanks', () => {
  it('gives as many as asked for, the same as a sort of all would', () => {
    const random = new Random('1');
    const pods = Array.from({ length: 60 }, (_, i) =>
      pod(`p${i}`, { node: random.pick(['', 'n1', 'n2']) ?? '', ready: random.integer(9) + 1, created: 1, restarts: random.integer(3) }),
    );
    const first = firstActivePodsWithRanks(pods, 7, { rankOf: ranksByNode(pods), now: NOW });
    expect(first.map(({ metadata }) => metadata.name)).toEqual(order(...pods).slice(0, 7));
  });
});

describe('sortActivePods', () => {
  it('counts ages exactly and knows no ranks', () => {
    const sorted = sortActivePods([pod('a', { ready: 20 }), pod('b', { ready: 18 }), pod('other', { node: 'n2', ready: 19 })]);
    expect(sorted.map(({ metadata }) => metadata.name)).toEqual(['b', 'other', 'a']);
  });
});
