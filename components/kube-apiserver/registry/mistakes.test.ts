// Mistakes in specs of many kinds, several at once, with the words of the API.
import { expect, test } from 'vitest';
import type { Resource } from '../../../src/api/resource.ts';
import {
  certificatesigningrequests,
  daemonsets,
  deployments,
  horizontalpodautoscalers,
  ingressclasses,
  ingresses,
  ipaddresses,
  jobs,
  networkpolicies,
  persistentvolumes,
  replicasets,
  resourceclaims,
  services,
  statefulsets,
} from '../../../src/api/resources.ts';
import { tryCreate } from './try-strategy.ts';

const container = { name: 'web', image: 'nginx:1.27' };
const podSpec = { containers: [container] };
const job = { template: { spec: { ...podSpec, restartPolicy: 'Never' } } };
const badSelector = { matchExpressions: [{ key: 'app', operator: 'In' }] };
const empty = { metadata: { labels: { app: 'web' } }, spec: {} };

const cases: [string, Resource, object, string[]][] = [
  [
    'an unusable selector hides what is wrong with the template of a Deployment',
    deployments,
    { selector: badSelector, template: empty },
    [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"In"}]}: invalid label selector',
    ],
  ],
  [
    'and of a ReplicaSet',
    replicasets,
    { selector: badSelector, template: empty },
    [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"In"}]}: invalid label selector',
    ],
  ],
  [
    'of a StatefulSet it is shown without a word, and restarts are still looked at',
    statefulsets,
    { selector: badSelector, template: { ...empty, spec: { restartPolicy: 'Never' } } },
    [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"In"}]}',
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
  ],
  [
    'of a DaemonSet the template is looked at all the same',
    daemonsets,
    { selector: badSelector, template: empty },
    [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      'spec.template.spec.containers: Required value',
    ],
  ],
  [
    'an Indexed Job may not remember more failures than it has completions',
    jobs,
    { ...job, completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1, maxFailedIndexes: 3 },
    ['spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to completions'],
  ],
  [
    'a Job that is not Indexed remembers none',
    jobs,
    { ...job, maxFailedIndexes: 3 },
    [
      'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
      'spec.maxFailedIndexes: Invalid value: 3: requires indexed completion mode',
    ],
  ],
  [
    'an Indexed Job with very many completions has further limits',
    jobs,
    { ...job, completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 },
    [
      'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
      'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
    ],
  ],
  [
    'who manages a Job is a path with a domain',
    jobs,
    { ...job, managedBy: 'Acme/foo' },
    [
      "spec.managedBy: Invalid value: \"Acme\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'parameters of an IngressClass name things',
    ingressclasses,
    { controller: 'example.com/a b', parameters: { kind: 'a/b', name: '%', scope: 'Namespace', namespace: 'a.b' } },
    [
      "spec.controller: Invalid value: \"a b\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
      'spec.parameters.kind: Invalid value: "a/b": may not contain \'/\'',
      'spec.parameters.name: Invalid value: "%": may not contain \'%\'',
      'spec.parameters.namespace: Invalid value: "a.b": must not contain dots',
    ],
  ],
  [
    'an address of version 6 is no host, and no domain',
    ingresses,
    { rules: [{ host: '::1' }], tls: [{ secretName: 'a b' }] },
    [
      'spec.rules[0].host: Invalid value: "::1": must be a DNS name, not an IP address',
      expect.stringMatching(/^spec\.rules\[0\]\.host: Invalid value: "::1": a lowercase RFC 1123 subdomain/),
      expect.stringMatching(/^spec\.tls\[0\]\.secretName: Invalid value: "a b": a lowercase RFC 1123 subdomain/),
    ],
  ],
  [
    'exceptions of a network that is none are not looked at',
    networkpolicies,
    { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: 'x', except: ['y'] } }] }] },
    ['spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  ],
  [
    'exceptions are parts of the network, also of version 6',
    networkpolicies,
    { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:1::/48', '2001:db9::/48'] } }] }] },
    ['spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "2001:db9::/48": must be a strict subset of `cidr`'],
  ],
  [
    'what owns an address is named',
    ipaddresses,
    { parentRef: { group: 'A', resource: 'a/b', name: '' } },
    [
      expect.stringMatching(/^spec\.parentRef\.group: Invalid value: "A": a lowercase RFC 1123 subdomain/),
      'spec.parentRef.resource: Invalid value: "a/b": may not contain \'/\'',
      'spec.parentRef.name: Required value',
    ],
  ],
  [
    'averages are positive, and objects are named',
    horizontalpodautoscalers,
    {
      maxReplicas: 2,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        { type: 'Pods', pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '0' } } },
        {
          type: 'Object',
          object: {
            describedObject: { apiVersion: 'a/b/c', kind: 'a/b', name: 'x' },
            metric: { name: 'a' },
            target: { type: 'Value', value: '1' },
          },
        },
      ],
    },
    [
      'spec.metrics[0].pods.target.averageValue: Invalid value: "0": must be positive',
      'spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue',
      'spec.metrics[1].object.describedObject.kind: Invalid value: "a/b": may not contain \'/\'',
      'spec.metrics[1].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ],
  ],
  [
    'who signs is a domain of two labels and a name',
    certificatesigningrequests,
    { request: btoa('-----BEGIN CERTIFICATE REQUEST-----'), usages: ['client auth'], signerName: 'Example/My_Signer' },
    [
      expect.stringMatching(/^spec\.signerName: Invalid value: "Example": validating label "Example": a lowercase RFC 1123 label/),
      'spec.signerName: Invalid value: "Example": should be a domain with at least two segments separated by dots',
      expect.stringMatching(/^spec\.signerName: Invalid value: "My_Signer": validating label "My_Signer": a lowercase RFC 1123 subdomain/),
    ],
  ],
  [
    'of two sources of a volume the one that is looked at first counts',
    persistentvolumes,
    {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      csi: { driver: 'x', volumeHandle: 'y' },
      local: { path: '/a/../b' },
      volumeAttributesClassName: '',
    },
    [
      'spec.local.path: Invalid value: "/a/../b": must not contain \'..\'',
      'spec.nodeAffinity: Required value: Local volume requires node affinity',
      'spec.csi: Forbidden: may not specify more than 1 volume type',
      'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
    ],
  ],
  [
    'Secrets of a CSI volume are named in full',
    persistentvolumes,
    {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      csi: { driver: 'x', nodePublishSecretRef: { name: 'a' } },
    },
    ['spec.csi.volumeHandle: Required value', 'spec.csi.nodePublishSecretRef.namespace: Required value'],
  ],
  [
    'lists of a claim for devices end somewhere',
    resourceclaims,
    {
      devices: {
        requests: Array.from({ length: 33 }, (_, index) => ({ name: `r${index}`, exactly: { deviceClassName: 'gpu' } })),
      },
    },
    ['spec.devices.requests: Too many: 33: must have at most 32 items'],
  ],
  [
    "kubelet's port is not exposed by a load balancer",
    services,
    { type: 'LoadBalancer', ports: [{ port: 10_250 }] },
    ['spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet'],
  ],
];

test.each(cases)('%s', (_name, resource, spec, expected) => {
  const name = resource === ipaddresses ? '10.0.0.1' : 'web';
  expect(tryCreate(resource, { metadata: { name }, spec }).problems).toEqual(expected);
});
