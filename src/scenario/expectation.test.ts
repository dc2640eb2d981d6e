import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../sim/trace.ts';
import { type Evidence, type Expectation, judge } from './expectation.ts';
import { readPath } from './matcher.ts';

const pod = (name: string, phase: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: 'web' } },
  status: { phase },
});

const write = (seq: number, time: number, verb: 'create' | 'update' | 'delete', name: string): TraceEntry => ({
  seq,
  time,
  actor: 'kube-apiserver',
  cause: 0,
  kind: 'write',
  verb,
  revision: seq,
  user: 'system:serviceaccount:kube-system:replicaset-controller',
  object: { group: '', resource: 'pods', kind: 'Pod', namespace: 'default', name },
});

const evidence: Evidence = {
  entries: [
    write(1, 0, 'create', 'web-1'),
    write(2, 500, 'update', 'web-1'),
    write(3, 2_000, 'create', 'web-2'),
    write(4, 9_000, 'delete', 'web-1'),
  ],
  read: (entry) => pod(entry.object.name, entry.verb === 'update' ? 'Running' : 'Pending'),
  objects: [pod('web-2', 'Running')],
};

const check = (expectation: object): [boolean, string] => {
  const { ok, found } = judge({ text: '', ...expectation } as Expectation, evidence);
  return [ok, found];
};
const created = { trace: 'write', verb: 'create', name: 'web-*' } as const;
const deleted = { trace: 'write', verb: 'delete', by: 'replicaset-controller' } as const;
const running = { trace: 'write', kind: 'Pod', field: 'status.phase', equals: 'Running' } as const;

describe('expectations', () => {
  it.each([
    ['eventually', { expect: 'eventually', match: running }, [true, 'at 0.500s (#2)']],
    ['eventually, but it does not', { expect: 'eventually', match: { ...created, name: 'api-*' } }, [false, 'it never happened']],
    ['never', { expect: 'never', match: { ...created, by: 'nobody' } }, [true, '']],
    ['never, but it does', { expect: 'never', match: deleted }, [false, 'it happened at 9.000s (#4)']],
    ['never after', { expect: 'never', match: running, after: { trace: 'write', name: 'web-2' } }, [true, '']],
    [
      'never after what never happens',
      { expect: 'never', match: running, after: { trace: 'fault' } },
      [false, 'what it should follow never happened'],
    ],
    ['before', { expect: 'before', first: running, second: deleted }, [true, 'at 0.500s (#2), then at 9.000s (#4)']],
    ['before, but later', { expect: 'before', first: deleted, second: created }, [false, 'at 9.000s (#4), then at 0.000s (#1)']],
    ['within', { expect: 'within', ms: 1_500, after: running, match: created }, [true, 'at 2.000s (#3)']],
    ['within, but too late', { expect: 'within', ms: 1_499, after: running, match: created }, [false, 'at 2.000s (#3)']],
    [
      'finally',
      { expect: 'finally', state: { kind: 'Pod', labels: { app: 'web' }, field: 'status.phase', equals: 'Running', count: 1 } },
      [true, '1 of 1 Pod objects fit, with status.phase "Running"'],
    ],
    ['finally, but not', { expect: 'finally', state: { kind: 'Pod', name: 'web-1' } }, [false, '0 of 0 Pod objects fit']],
  ])('%s', (_, expectation, result) => {
    expect(check(expectation)).toEqual(result);
  });

  it('read paths into objects', () => {
    const object = {
      spec: {
        list: [
          { type: 'a', value: 1 },
          { type: 'b', value: 2 },
        ],
      },
      metadata: { labels: { 'a.b/c': 'x' } },
    };
    expect(readPath(object, 'spec.list[type=b].value')).toBe(2);
    expect(readPath(object, 'spec.list[0].type')).toBe('a');
    expect(readPath(object, 'metadata.labels[a.b/c]')).toBe('x');
    expect(readPath(object, 'spec.none.deeper')).toBeUndefined();
  });
});
