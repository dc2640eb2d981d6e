import { expect, test } from 'vitest';
import { pods } from '../../../../src/api/resources.ts';
import { tryCreate, tryUpdate } from '../try-strategy.ts';

const container = (more: object = {}): object => ({ name: 'web', image: 'nginx:1.27', ...more });
const pod = (spec: object, metadata: object = {}): object => ({ metadata: { name: 'web', ...metadata }, spec });
const problems = (spec: object): string[] => tryCreate(pods, pod(spec)).problems;

test('a pod gets the defaults of the API', () => {
  const { object, problems } = tryCreate(
    pods,
    pod({
      containers: [
        container({
          image: 'nginx',
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: '1' } },
          livenessProbe: { httpGet: { port: 80 } },
        }),
      ],
      volumes: [{ name: 'v' }],
    }),
  );
  expect(problems).toEqual([]);
  expect(object.metadata.generation).toBe(1);
  expect(object.status).toEqual({ phase: 'Pending', qosClass: 'Burstable' });
  expect(object.spec).toMatchObject({
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
    volumes: [{ name: 'v', emptyDir: {} }],
    containers: [
      {
        imagePullPolicy: 'Always',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
        livenessProbe: {
          httpGet: { path: '/', port: 80, scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
      },
    ],
  });
});

test('mistakes are found with the words of the API', () => {
  expect(problems({})).toEqual(['spec.containers: Required value']);
  expect(problems({ containers: [container(), container()] })).toEqual(['spec.containers[1].name: Duplicate value: "web"']);
  expect(problems({ containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })] })).toEqual([
    'spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ]);
  expect(problems({ containers: [container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } })] })).toEqual([
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ]);
  expect(problems({ containers: [container()], restartPolicy: 'Sometimes' })).toEqual([
    'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ]);
  expect(problems({ containers: [container()], tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] })).toEqual([
    'spec.tolerations[0].operator: Invalid value: "b": value must be empty when `operator` is \'Exists\'',
  ]);
});

test('what is odd is warned of', () => {
  const { warnings } = tryCreate(
    pods,
    pod({ containers: [container({ env: [{ name: 'A' }, { name: 'A' }] })], nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
  );
  expect(warnings).toEqual([
    'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
  ]);
});

test('an update may change images, and little else', () => {
  const { object } = tryCreate(pods, pod({ containers: [container()] }));
  const changed = tryUpdate(pods, object, { body: pod({ containers: [container({ image: 'nginx:1.28' })] }) });
  expect(changed.problems).toEqual([]);
  expect(changed.object.metadata.generation).toBe(2);
  const refused = tryUpdate(pods, object, { body: pod({ containers: [container({ command: ['sh'] })] }) });
  expect(refused.problems).toHaveLength(1);
  expect(refused.problems[0]).toMatch(/^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`/);
  expect(tryUpdate(pods, object, { body: pod({ containers: [container(), container({ name: 'b' })] }) }).problems).toEqual([
    'spec.containers: Forbidden: pod updates may not add or remove containers',
  ]);
});

test('status changes through its own door only', () => {
  const { object } = tryCreate(pods, pod({ containers: [container()] }));
  const body = {
    ...pod({ containers: [container({ image: 'other' })] }),
    status: { phase: 'Running', podIP: '10.0.0.1', qosClass: 'BestEffort' },
  };
  const updated = tryUpdate(pods, object, { body, subresource: 'status' });
  expect(updated.object.spec).toBe(object.spec);
  expect(updated.object.status).toMatchObject({ phase: 'Running', podIPs: [{ ip: '10.0.0.1' }] });
  expect(tryUpdate(pods, object, { body }).object.status).toEqual(object.status);
});
