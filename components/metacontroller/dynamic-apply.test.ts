import { expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/object.ts';
import { applyUpdate, withLastApplied } from './dynamic-apply.ts';

const object = (spec: object): KubernetesObject => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' }, spec }) as KubernetesObject;
const specOf = (of: KubernetesObject): unknown => (of as unknown as { spec: unknown }).spec;

/** What comes of an object that was made from `before`, that others have changed by `others`, and that is to be `after` now. */
function applied(before: object, others: object, after: object): unknown {
  const made = withLastApplied(object(before));
  return specOf(applyUpdate({ ...made, spec: others } as KubernetesObject, object(after)));
}

it('leaves alone what others have filled in, and takes away what is asked for no more', () => {
  expect(applied({ a: 1, b: 1 }, { a: 1, b: 1, filledIn: true }, { a: 2 })).toEqual({ a: 2, filledIn: true });
});

it('takes lists for maps when all items have one of the usual keys', () => {
  const injected = [{ name: 'app', image: 'v1', pulled: true }, { name: 'sidecar' }];
  expect(
    applied(
      { list: [{ name: 'app', image: 'v1' }, { name: 'old' }] },
      { list: [...injected, { name: 'old' }] },
      { list: [{ name: 'app', image: 'v2' }, { name: 'new' }] },
    ),
  ).toEqual({
    list: [{ name: 'app', image: 'v2', pulled: true }, { name: 'sidecar' }, { name: 'new' }],
  });
});

it('replaces other lists, and whatever changes its type', () => {
  expect(
    applied({ list: ['a'], other: [{ x: 1 }] }, { list: ['a', 'b'], other: [{ x: 1 }, { x: 2 }] }, { list: ['c'], other: { y: 1 } }),
  ).toEqual({
    list: ['c'],
    other: { y: 1 },
  });
});

it('prefers the port of a container to its name', () => {
  const ports = [{ containerPort: 80, name: 'web' }];
  expect(
    applied({ ports }, { ports: [{ containerPort: 80, name: 'web', protocol: 'TCP' }] }, { ports: [{ containerPort: 80, name: 'http' }] }),
  ).toEqual({
    ports: [{ containerPort: 80, name: 'http', protocol: 'TCP' }],
  });
});
