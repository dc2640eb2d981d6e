import { expect, test } from 'vitest';
import { press } from '../app/press.ts';
import { Session } from '../app/session.ts';
import { initialState } from '../app/ui-state.ts';
import { RunBuilder } from '../fixtures/run-builder.ts';
import { overlayContent } from './overlay-view.ts';

// Goal: Enter on a scheduling decision opens its table; on any other step it opens the causes.

function sessionWith(details: unknown): Session {
  const builder = new RunBuilder();
  const input = builder.add('', 0, { kind: 'input', input: 'kubectl', text: 'kubectl apply -f web.yaml' });
  const object = { group: '', resource: 'pods', kind: 'Pod', namespace: 'default', name: 'web' };
  builder.add('kube-scheduler', input, {
    kind: 'decision',
    component: 'kube-scheduler',
    object,
    message: 'default/web goes to n2',
    details,
  });
  return new Session({ run: builder.run, title: 'one pod' });
}

const DETAILS = {
  outcome: 'scheduled',
  attempt: 1,
  node: 'n2',
  nodes: { evaluated: 1, feasible: 1 },
  refused: [],
  scores: [],
  equals: ['n2'],
  queue: [{ time: 0, queue: 'active', event: 'UnscheduledPodAdd' }],
};

test('Enter opens the decision as a table', () => {
  const session = sessionWith(DETAILS);
  const { state } = press(initialState({ cursor: 2, theme: 'dark' }), 'enter', session);
  expect(state.overlay?.kind).toBe('decision');
  const overlay = state.overlay ?? { kind: 'decision' as const, scroll: 0 };
  const { title, lines } = overlayContent(session, session.momentOf(state), { overlay, state, width: 78, height: 20 });
  expect(title).toBe('Scheduling of Pod web, #2');
  expect(lines.map((line) => line.map(({ text }) => text).join('')).join('\n')).toContain('there was none: only this node fits');
  expect(press(state, 'enter', session).state.overlay).toBe(undefined);
});

test('Enter on another step opens its causes', () => {
  const { state } = press(initialState({ cursor: 1, theme: 'dark' }), 'enter', sessionWith(DETAILS));
  expect(state.overlay?.kind).toBe('why');
});
