import { expect, it } from 'vitest';
import { ControllerExpectations, UIDTrackingControllerExpectations } from './expectations.ts';

it('is satisfied when everything was observed', () => {
  const expectations = new ControllerExpectations(() => 0);
  expect(expectations.satisfiedExpectations('a')).toBe(true);
  expectations.expectCreations('a', 2);
  expect(expectations.satisfiedExpectations('a')).toBe(false);
  expectations.creationObserved('a');
  expectations.creationObserved('a');
  expect(expectations.satisfiedExpectations('a')).toBe(true);
  expect(expectations.getExpectations('a')).toMatchObject({ add: 0, del: 0 });
});

it('waits for creations and deletions together', () => {
  const expectations = new ControllerExpectations(() => 0);
  expectations.setExpectations('a', 1, 1);
  expectations.deletionObserved('a');
  expect(expectations.satisfiedExpectations('a')).toBe(false);
  expectations.raiseExpectations('a', 1, 0);
  expectations.lowerExpectations('a', 2, 0);
  expect(expectations.satisfiedExpectations('a')).toBe(true);
});

it('gives up after five minutes', () => {
  let now = 0;
  const expectations = new ControllerExpectations(() => now);
  expectations.expectCreations('a', 1);
  now = 300_000;
  expect(expectations.satisfiedExpectations('a')).toBe(false);
  now = 300_001;
  expect(expectations.satisfiedExpectations('a')).toBe(true);
});

it('forgets with the owner', () => {
  const expectations = new ControllerExpectations(() => 0);
  expectations.expectDeletions('a', 3);
  expectations.deleteExpectations('a');
  expect(expectations.satisfiedExpectations('a')).toBe(true);
});

it('counts each deletion once when it tracks them', () => {
  const expectations = new UIDTrackingControllerExpectations(() => 0);
  expectations.expectDeletions('rs', ['default/a', 'default/b']);
  expectations.deletionObserved('rs', 'default/a');
  expectations.deletionObserved('rs', 'default/a');
  expectations.deletionObserved('rs', 'default/z');
  expect(expectations.satisfiedExpectations('rs')).toBe(false);
  expect([...(expectations.getUIDs('rs') ?? [])]).toEqual(['default/b']);
  expectations.deletionObserved('rs', 'default/b');
  expect(expectations.satisfiedExpectations('rs')).toBe(true);
});
