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

test.each([
  [
    'a volume in which something is wrong cannot be mounted',
    { containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })], volumes: [{ name: 'v', secret: {} }] },
    ['spec.volumes[0].secret.secretName: Required value', 'spec.containers[0].volumeMounts[0].name: Not found: "v"'],
  ],
  [
    'two containers without a name are twins',
    { containers: [container({ name: undefined }), container({ name: undefined })] },
    ['spec.containers[0].name: Required value', 'spec.containers[1].name: Required value', 'spec.containers[1].name: Duplicate value: ""'],
  ],
  [
    'host ports of init containers are compared within each, which is called the first',
    {
      containers: [container()],
      initContainers: [
        container({ name: 'a', ports: [{ containerPort: 1, hostPort: 9 }] }),
        container({
          name: 'b',
          ports: [
            { containerPort: 1, hostPort: 9 },
            { containerPort: 2, hostPort: 9 },
          ],
        }),
      ],
    },
    ['spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//9"'],
  ],
  [
    "on the node's network ports are the node's, but for init containers",
    {
      hostNetwork: true,
      containers: [container({ ports: [{ containerPort: 80, hostPort: 81 }] })],
      initContainers: [container({ name: 'a', ports: [{ containerPort: 80, hostPort: 81 }] })],
    },
    ['spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true'],
  ],
  [
    'fields that only selectors know are no downward API',
    {
      containers: [
        container({
          env: [
            { name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.hostNetwork' } } },
            { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '3' } } },
            { name: 'C', valueFrom: { resourceFieldRef: { resource: 'hugepages-2Mi' } } },
            { name: 'D', valueFrom: { fieldRef: { fieldPath: 'spec.host' } } },
          ],
        }),
      ],
    },
    [
      'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.hostNetwork": error converting fieldPath: field label not supported: spec.hostNetwork',
      'spec.containers[0].env[1].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.hugepages-2Mi": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the hugepages resource',
      'spec.containers[0].env[2].valueFrom.resourceFieldRef.resource: Unsupported value: "hugepages-2Mi": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
    ],
  ],
  [
    'Windows has no users by number, Linux no Windows options',
    {
      os: { name: 'windows' },
      hostUsers: true,
      containers: [container({ securityContext: { runAsUser: 1, privileged: false } })],
    },
    [
      'spec.hostUsers: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
    ],
  ],
  [
    'processes of a Windows host are all or none, on its network',
    {
      containers: [
        container({ securityContext: { windowsOptions: { hostProcess: true } } }),
        container({ name: 'b', securityContext: { windowsOptions: { hostProcess: false } } }),
      ],
    },
    [
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    ],
  ],
  [
    'profiles of AppArmor',
    {
      securityContext: { appArmorProfile: {} },
      containers: [container({ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } } })],
    },
    [
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: "a": must not be padded with whitespace',
      'spec.securityContext.appArmorProfile.type: Required value: type is required when appArmorProfile is set',
    ],
  ],
  [
    'without a name server the rest of dnsConfig is not looked at',
    { containers: [container()], dnsPolicy: 'None', dnsConfig: { searches: ['A!'] } },
    ['spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None'],
  ],
  [
    'sources of old',
    {
      containers: [container()],
      volumes: [
        { name: 'a', flocker: {} },
        { name: 'b', fc: { targetWWNs: ['x'] } },
        { name: 'c', iscsi: { targetPortal: 'x', iqn: 'nope', lun: 256 } },
        { name: 'd', azureDisk: { diskName: 'x', diskURI: 'y' } },
        { name: 'e', quobyte: { registry: 'x', volume: 'v' } },
        { name: 'f', flexVolume: { driver: 'x', options: { 'a.kubernetes.io/b': 'c' } } },
      ],
    },
    [
      'spec.volumes[0].flocker: Required value: one of datasetName and datasetUUID is required',
      'spec.volumes[1].fc.lun: Required value: lun is required if targetWWNs is specified',
      'spec.volumes[2].iscsi.iqn: Invalid value: "nope": must be valid format starting with iqn, eui, or naa',
      'spec.volumes[2].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
      'spec.volumes[3].azureDisk.diskURI: Unsupported value: "y": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
      'spec.volumes[4].quobyte.registry: Invalid value: "x": must be a host:port pair or multiple pairs separated by commas',
      'spec.volumes[5].flexVolume.options[a.kubernetes.io/b]: Invalid value: "a.kubernetes.io/b": kubernetes.io and k8s.io namespaces are reserved',
    ],
  ],
])('%s', (_name, spec, expected) => {
  expect(problems(spec)).toEqual(expected);
});
