import { expect, test } from 'vitest';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
import { breakpointAt, breakpointLike, parseBreakpoint } from './breakpoints.ts';

const run = deleteAPod();

function hits(...words: string[]): number[] {
  const made = parseBreakpoint(words);
  return made ? run.entries.filter((entry) => breakpointAt([made], run, entry)).map(({ seq }) => seq) : [];
}

test('reads what people know: verbs of writes and types of watch events alike', () => {
  expect(hits('kind=Pod', 'verb=DELETED')).toEqual(hits('kind=Pod', 'verb=delete'));
  expect(hits('kind=Pod', 'verb=DELETED').length).toBe(1);
  expect(hits('trace=decision', 'by=kube-scheduler').length).toBe(4);
  expect(hits('name=web-6f-*', 'verb=create').length).toBe(4);
});

test('refuses what is no breakpoint', () => {
  for (const words of [[], ['Pod'], ['colour=red'], ['trace=nonsense']]) expect(parseBreakpoint(words)).toBeUndefined();
});

test('makes one out of an event, which that event fits', () => {
  for (const entry of run.entries) {
    const made = parseBreakpoint(breakpointLike(run, entry));
    if (made && entry.kind !== 'request') expect(breakpointAt([made], run, entry)?.text).toBe(made.text);
  }
});
