import { expect, test } from 'vitest';
import type { LessonEvent, LessonInput } from './lesson-event.ts';
import { LessonPlayer } from './player.ts';
import { parseLesson } from './read-lesson.ts';
import { LessonSession } from './session.ts';

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: nginx, image: nginx }] }
`;

function lessonOf(steps: string, more = '') {
  const text = `
apiVersion: lesson/v1
id: test-lesson
minutes: 1
cluster: { nodes: 2, apply: [web.yaml], pick: { pod: Pod/web-* } }
allow: [delete, scale]
${more}
steps:
${steps}`;
  return parseLesson(text, 'lesson.yaml', (name) => (name === 'web.yaml' ? DEPLOYMENT : undefined));
}

/** Plays a lesson by its own solution; returns the truths of its questions by step. */
async function truthsOf(lesson: ReturnType<typeof lessonOf>): Promise<Record<string, unknown>> {
  const session = await LessonSession.start(lesson);
  const truths: Record<string, unknown> = {};
  for (let left = 40; session.step && left > 0; left--) {
    const name = `${session.step.id}${session.question?.id ? `/${session.question.id}` : ''}`;
    if (session.question) truths[name] = (await session.truth()).problem ?? (await session.truth()).answer;
    for (const input of await session.solution()) await session.send(input);
  }
  expect(session.step).toBeUndefined();
  expect(session.verdicts.every(({ right }) => right)).toBe(true);
  return truths;
}

test('every kind of question is judged by the run', async () => {
  const lesson = lessonOf(`
  - { id: who, predict: { kind: lane, event: Pod CREATED, options: [kube-scheduler, replicaset-controller], future: [{ kubectl: "scale deployment web --replicas=3" }, { wait: settled }] } }
  - id: first
    predict:
      kind: order
      items: { gone: "Pod/{pod} DELETED", marked: "Pod/{pod} MARKED", new: Pod CREATED }
      future: [{ kubectl: "delete pod {pod}" }, { wait: settled }]
  - id: most
    predict: { kind: number, measure: { count: { kind: Pod, name: web-* }, when: most }, future: [{ kubectl: "delete pod {pod}" }, { wait: settled }] }
  - id: seconds
    predict: { kind: number, tolerance: 40, measure: { seconds: { from: "Pod/{pod} MARKED", to: "Pod/{pod} DELETED" } }, future: [{ kubectl: "delete pod {pod}" }] }
  - id: claim
    predict:
      options: { two: { always: { kind: Pod, name: web-*, min: 2 } }, fewer: { ever: { kind: Pod, name: web-*, max: 1 } } }
      future: [{ kubectl: "delete pod {pod} --wait=false" }, { wait: settled }]
  - id: together
    predict:
      options: { yes: { coexist: ["Pod/{pod}", { kind: Pod, name: web-*, ready: false }] }, no: { not: { coexist: ["Pod/{pod}", { kind: Pod, name: web-*, ready: false }] } } }
      future: [{ kubectl: "delete pod {pod} --wait=false" }, { wait: settled }]
  - id: you
    control: { by: replicaset-controller, kinds: [Pod], actions: [create Pod, delete Pod], future: [{ kubectl: "scale deployment web --replicas=4" }, { wait: settled }] }
  - id: calm
    control: { by: replicaset-controller, kinds: [Pod], actions: [create Pod, delete Pod] }
  - id: pool
    quiz:
      draw: 3
      questions:
        - { id: a, options: { yes: true, no: false } }
        - { id: b, options: { yes: { count: { kind: Pod, name: web-*, eq: 2 } }, no: false } }
        - { id: c, kind: number, answer: { count: Pod/web-* } }
`);
  const truths = await truthsOf(lesson);
  expect(truths).toEqual({
    who: 'replicaset-controller',
    first: ['marked', 'new', 'gone'],
    most: '3',
    seconds: expect.stringMatching(/^\d+(\.\d+)?$/),
    claim: 'two',
    together: 'yes',
    you: ['create Pod', 'create Pod'],
    calm: [],
    'pool/a': 'yes',
    'pool/b': 'yes',
    'pool/c': '2',
  });
});

test('what kube-apiserver refuses may be foretold; what kubectl does not understand is an error of the lesson', async () => {
  const options = 'options: { refused: { absent: Namespace/Shop }, made: { exists: Namespace/Shop } }';
  const asked = async (command: string) => {
    const session = await LessonSession.start(lessonOf(`  - { id: ask, predict: { ${options}, future: [{ kubectl: ${command} }] } }`));
    return session.truth();
  };
  expect((await asked('create namespace Shop')).answer).toBe('refused');
  await expect(asked('create namespace Shop --force-it')).rejects.toThrow('unknown flag: --force-it');
});

test('a prediction does not touch the run', async () => {
  const lesson = lessonOf(`
  - id: claim
    predict: { options: { a: { exists: "Pod/{pod}" }, b: { absent: "Pod/{pod}" } }, future: [{ kubectl: "delete pod {pod}" }] }
`);
  const session = await LessonSession.start(lesson);
  const before = session.run.digest;
  expect((await session.truth()).answer).toBe('b');
  expect(session.run.digest).toBe(before);
});

test('faults, branches and being the one who checks', async () => {
  const lesson = lessonOf(
    `
  - { id: crash, fault: { crash: kube-scheduler } }
  - { id: more, run: { expect: scale deployment web --replicas=3, accept: [] }, stopAt: 10s }
  - { id: waiting, check: { object: { kind: Pod, where: { status.phase: Pending } }, path: spec.nodeName, exists: false } }
  - { id: back, fault: { restart: kube-scheduler }, stopAt: { check: { count: { kind: Pod, ready: true, name: web-*, eq: 3 } } }, branch: [{ when: { check: { count: { kind: Pod, name: web-*, eq: 3 } } }, goto: end }] }
  - { id: never, check: { absent: Deployment/web } }
`,
  );
  await truthsOf(lesson);
});

test('a cluster may have addons, a cloud and flags; loads and refusals of the cloud are inputs', async () => {
  const lesson = parseLesson(
    `
apiVersion: lesson/v1
id: load
minutes: 1
cluster:
  nodes: 1
  addons: { metrics-server: }
  cloud: { zones: [zone-a] }
  flags: { kube-controller-manager: { horizontal-pod-autoscaler-sync-period: 5s } }
  images: [{ name: nginx, ports: [80], cpuPerRequest: 5ms }]
  apply: [web.yaml]
  setup: [{ kubectl: expose deployment web --port=80 }]
steps:
  - { id: refuse, fault: { cloud-refuses: { method: EnsureLoadBalancer, message: quota exceeded } } }
  - { id: balance, run: expose deployment web --port=80 --type=LoadBalancer --name=lb, stopAt: { event: { kind: Event, reason: SyncLoadBalancerFailed } } }
  - { id: agree, fault: { cloud-refuses: { method: EnsureLoadBalancer } }, stopAt: { check: { object: Service/lb, path: "status.loadBalancer.ingress[0].ip", exists: true } } }
  - { id: rush, load: { service: web, requestsPerSecond: 100 }, stopAt: 40s }
  - { id: busy, check: { happened: { trace: input, message: "*100*" } } }
`,
    'lesson.yaml',
    (name) => (name === 'web.yaml' ? DEPLOYMENT : undefined),
  );
  const session = await LessonSession.start(lesson);
  for (let left = 10; session.step && left > 0; left--) for (const input of await session.solution()) await session.send(input);
  expect(session.step).toBeUndefined();
  expect((await session.run.fork({ digest: true })).digest).toBe(session.run.digest);
});

test('a request by hand is a command that changes nothing; its way is told, and checks see what came of it', async () => {
  const lesson = parseLesson(
    `
apiVersion: lesson/v1
id: visits
minutes: 1
cluster: { nodes: 2, cloud: {}, apply: [web.yaml], setup: [{ kubectl: expose deployment web --port=80 --type=LoadBalancer }, { wait: settled }] }
steps:
  - { id: ask, run: visit service/web }
  - { id: inside, task: { check: { happened: { trace: runtime, what: connection, message: "web:80/ answered with 200 by 10.*" } } } }
`,
    'lesson.yaml',
    (name) => (name === 'web.yaml' ? DEPLOYMENT : undefined),
  );
  const session = await LessonSession.start(lesson);
  session.takeEvents();
  const [visited, passed] = await session.send({ do: 'command', line: 'visit svc/web' });
  expect(visited).toEqual({
    event: 'visited',
    command: 'visit svc/web',
    way: [
      'load balancer of default/web, port 80: 2 of 2 nodes healthy',
      expect.stringMatching(/^from 198\.51\.100\.10 to node n[12], 203\.0\.113\.1:80$/),
      expect.stringMatching(/^kube-proxy\/n[12]: the packet passes 1\d rules$/),
      expect.stringMatching(/^from 192\.168\.100\.\d+ to 10\..*:80$/),
      expect.stringMatching(/^service\/web:80\/ answered with 200 by 10\..*:80$/),
    ],
  });
  expect(passed).toEqual({ event: 'passed', step: 'ask' });
  expect(await session.send({ do: 'command', line: 'visit' })).toEqual([{ event: 'refused', why: 'not-a-command', detail: 'visit' }]);
  expect((await session.send({ do: 'command', line: 'visit web:80' })).at(-1)).toEqual({ event: 'finished' });
  expect([...session.changedBy]).toEqual([]);
  const copy = await session.run.fork();
  expect(copy.digest).toBe(session.run.digest);
});

test('undo goes back to before the last command that changed something, and redo does it again', async () => {
  const lesson = lessonOf(
    `  - { id: one, task: { check: { count: { kind: Pod, name: web-*, eq: 1 } } } }\n  - { id: end-of-it, narrate: {} }`,
  );
  const player = await LessonPlayer.start(lesson);
  const start = player.session.run.digest;
  await player.send({ do: 'command', line: 'scale deploy web --replicas=3' });
  await player.send({ do: 'command', line: 'get pods' });
  const after = player.session.run.digest;
  expect(await player.undo()).toBe('scale deploy web --replicas=3');
  expect(player.session.run.digest).toBe(start);
  expect(await player.redo()).toBe(true);
  expect(player.session.run.digest).toBe(after);
  expect(await player.undo()).toBeDefined();
  const events = await player.send({ do: 'command', line: 'k scale deployment.apps/web --replicas 1' });
  expect(events.map(({ event }) => event)).toEqual(['output', 'checked', 'passed', 'step']);
  expect(await player.redo()).toBe(false);
  const again = await LessonPlayer.start(lesson, player.runFile().inputs);
  expect(again.session.run.digest).toBe(player.session.run.digest);
});

test('one may look at any time; the run stays where it is', async () => {
  const lesson = lessonOf(`
  - { id: intro, narrate: {} }
  - { id: how-many, predict: { kind: number, measure: { count: { kind: Pod } }, future: [{ kubectl: "scale deployment web --replicas=3" }, { wait: settled }] } }`);
  const player = await LessonPlayer.start(lesson);
  const { key } = player.session.run;
  const look = (): Promise<LessonEvent[]> => player.send({ do: 'command', line: 'kubectl get deployments -o name' });
  const seen = [
    { event: 'output', command: 'kubectl get deployments -o name', result: { code: 0, stderr: [], stdout: ['deployment.apps/web'] } },
  ];
  expect(await look()).toEqual(seen);
  await player.send({ do: 'next' });
  expect(player.session.waits).toBe('answer');
  expect(await look()).toEqual(seen);
  expect([player.session.run.key, player.session.inputs]).toEqual([key, [{ do: 'next' }]]);
  expect(await player.send({ do: 'command', line: 'delete deployment web' })).toEqual([
    { event: 'refused', why: 'not-now', detail: 'answer' },
  ]);
});

test('what a command prints after time was stopped is told with the command', async () => {
  const lesson = lessonOf(`
  - { id: delete, run: "delete pod {pod}", stopAt: "Pod/{pod} MARKED" }
  - { id: rest, advance: settled }`);
  const session = await LessonSession.start(lesson);
  const { pod } = Object.fromEntries(session.run.variables);
  const outputs = async (input: LessonInput): Promise<unknown[]> =>
    (await session.send(input)).flatMap((event) => (event.event === 'output' ? [[event.command, event.late, event.result.stdout]] : []));
  expect(await outputs({ do: 'command', line: `delete pod ${pod}` })).toEqual([]);
  expect(await outputs({ do: 'next' })).toEqual([[`delete pod ${pod}`, true, [`pod "${pod}" deleted from default namespace`]]]);
});

test('what is not asked for is told apart: refused, unexpected, not now', async () => {
  const lesson = lessonOf(`  - { id: del, run: "delete pod {pod}" }`);
  const session = await LessonSession.start(lesson);
  session.takeEvents();
  const send = async (line: string) =>
    (await session.send({ do: 'command', line })).map((event) => `${event.event}${'why' in event ? ` ${event.why}` : ''}`);
  expect(await send('apply -f x.yaml')).toEqual(['refused not-allowed']);
  expect(await send('"open')).toEqual(['refused not-a-command']);
  expect(await send('get pods')).toEqual(['output']);
  expect(await send('cat web.yaml')).toEqual(['output']);
  expect(await send('scale deployment web --replicas=2')).toEqual(['output', 'unexpected']);
  expect((await session.send({ do: 'next' })).map(({ event }) => event)).toEqual(['refused']);
  expect((await session.send({ do: 'hint' })).map(({ event }) => event)).toEqual(['hint']);
});

test('a broken lesson says where', () => {
  expect(() => lessonOf('  - { id: x, advance: Pod EXPLODED }')).toThrow(
    /lesson.yaml:\d+:\d+: steps\[0\].advance: there is no verb EXPLODED/,
  );
  expect(() => lessonOf('  - { id: x, narrate: {}, next: y }')).toThrow('there is no step "y"; there are x, end');
  expect(() => lessonOf('  - { id: x, task: { check: { cuont: Pod } } }')).toThrow('expected one of all, any');
  expect(() => lessonOf('  - { id: x, narrate: {} }\n  - { id: x, narrate: {} }')).toThrow('there is another step "x"');
});

test('who comes to a quiz again gets other questions out of its pool', async () => {
  const questions = Array.from({ length: 8 }, (_, index) => `{ id: q${index}, options: { yes: true, no: false } }`).join(', ');
  const quiz = `{ id: exam, quiz: { draw: 2, questions: [${questions}] }, branch: [{ when: { wrong: 1 }, goto: again }, { goto: end }] }`;
  const session = await LessonSession.start(lessonOf(`  - ${quiz}\n  - { id: again, narrate: {}, next: exam }`));
  const round = async (answer: string): Promise<string[]> => {
    const asked: string[] = [];
    while (session.question) {
      asked.push(session.question.id);
      await session.send({ do: 'answer', answer });
      await session.send({ do: 'next' });
    }
    return asked;
  };
  const first = await round('no');
  await session.send({ do: 'next' });
  const second = await round('yes');
  expect([first.length, second.length, session.step]).toEqual([2, 2, undefined]);
  expect(second).not.toEqual(first);
});
