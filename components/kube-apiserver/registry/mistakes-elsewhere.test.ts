// Mistakes outside of specs, in updates and in what is only warned of, with the words of the API.
import { expect, test } from 'vitest';
import {
  cronjobs,
  deployments,
  endpointslices,
  flowschemas,
  ingresses,
  networkpolicies,
  nodes,
  pods,
  prioritylevelconfigurations,
  secrets,
  services,
  storageclasses,
  validatingwebhookconfigurations,
  volumeattachments,
} from '../../../src/api/resources.ts';
import { tryCreate, tryUpdate } from './try-strategy.ts';

const container = { name: 'web', image: 'nginx:1.27' };
const podSpec = { containers: [container] };
const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
const job = { template: { spec: { ...podSpec, restartPolicy: 'Never' } } };

test('annotations of Services and Ingresses must fit their fields', () => {
  const annotations = {
    'service.kubernetes.io/topology-aware-hints': 'auto',
    'service.kubernetes.io/topology-mode': 'disabled',
    'service.beta.kubernetes.io/load-balancer-source-ranges': 'x',
  };
  expect(tryCreate(services, { metadata: { name: 'web', annotations }, spec: { ports: [{ port: 80 }] } }).problems).toEqual([
    'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "disabled": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
    "metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Forbidden: may only be used when `type` is 'LoadBalancer'",
    'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ]);
  const ingress = {
    metadata: { name: 'web', annotations: { 'kubernetes.io/ingress.class': 'a' } },
    spec: { ingressClassName: 'b', defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  };
  expect(tryCreate(ingresses, ingress).problems).toEqual([
    'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified',
  ]);
});

test('the class of a load balancer is chosen once, with its type', () => {
  const service = (spec: object): object => ({ metadata: { name: 'web' }, spec: { ports: [{ port: 80 }], ...spec } });
  const { object } = tryCreate(services, service({ type: 'LoadBalancer' }));
  const { problems } = tryUpdate(services, object, { body: service({ type: 'LoadBalancer', loadBalancerClass: 'example.com/x' }) });
  expect(problems).toContain('spec.loadBalancerClass: Invalid value: "example.com/x": may not change once set');
});

test('a schedule that once had a time zone may have another', () => {
  const cronJob = (schedule: string): object => ({ metadata: { name: 'a' }, spec: { schedule, jobTemplate: { spec: job } } });
  const { object } = tryCreate(cronjobs, cronJob('TZ=UTC 0 0 * * *'));
  expect(tryUpdate(cronjobs, object, { body: cronJob('TZ=Asia/Tokyo 0 0 * * *') }).problems).toEqual([]);
});

test('hints of an EndpointSlice are names, each once', () => {
  const endpoint = { addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'a' }, { name: 'a' }, { name: 'b c' }] } };
  expect(tryCreate(endpointslices, { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [endpoint] }).problems).toEqual([
    'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
    expect.stringMatching(/^endpoints\[0\]\.hints\.forZones\[2\]\.name: Invalid value: "b c": a valid label must be/),
  ]);
});

test('terms of a topology come once', () => {
  const term = { matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] };
  const twin = { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] };
  expect(tryCreate(storageclasses, { metadata: { name: 'a' }, provisioner: 'x', allowedTopologies: [term, twin] }).problems).toEqual([
    'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
  ]);
});

test('a node has no negative capacity, and one finding for a bad value of a taint', () => {
  const node = {
    metadata: { name: 'n' },
    spec: { taints: [{ key: 'a', value: `${'x'.repeat(64)} `, effect: 'NoSchedule' }] },
    status: { capacity: { cpu: '-1', 'example.com/gpu': '1500m' } },
  };
  expect(tryCreate(nodes, node).problems).toEqual([
    expect.stringMatching(/^metadata\.taints\[0\]\.value: Invalid value: .*: must be no more than 63 characters;a valid label must/),
    'status.capacity[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    'status.capacity[example.com/gpu]: Invalid value: "1500m": must be an integer',
    'status.allocatable[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    'status.allocatable[example.com/gpu]: Invalid value: "1500m": must be an integer',
  ]);
});

test('credentials for registries are a JSON object', () => {
  const secret = (text: string): object => ({
    metadata: { name: 'a' },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': btoa(text) },
  });
  expect(tryCreate(secrets, secret('{}')).problems).toEqual([]);
  expect(tryCreate(secrets, secret('["a"]')).problems).toEqual([
    'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
  ]);
});

test('fields of features that are off are taken out of templates as of pods', () => {
  const stray = {
    ...podSpec,
    hostnameOverride: 'x',
    initContainers: [{ name: 'init', image: 'busybox:1.36', restartPolicy: 'Never' }],
    volumes: [{ name: 'v', image: { reference: 'x' } }],
  };
  const { object, problems } = tryCreate(deployments, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: { ...template, spec: stray } },
  });
  expect(problems).toEqual([]);
  const { spec } = object.spec?.template ?? {};
  expect(spec).not.toHaveProperty('hostnameOverride');
  expect(spec?.initContainers?.[0]).not.toHaveProperty('restartPolicy');
  expect(spec?.volumes).toEqual([]);
});

test('what only pods are asked for, templates are not', () => {
  const odd = { containers: [{ name: 'web', image: ' nginx' }], nodeName: 'n', schedulingGates: [{ name: 'example.com/a' }] };
  expect(tryCreate(pods, { metadata: { name: 'a' }, spec: odd }).problems).toEqual([
    'spec.containers[0].image: Invalid value: " nginx": must not have leading or trailing whitespace',
    'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
  ]);
  const deployment = { selector: { matchLabels: { app: 'web' } }, template: { ...template, spec: odd } };
  expect(tryCreate(deployments, { metadata: { name: 'a' }, spec: deployment }).problems).toEqual([]);
});

test('annotations that concern pods are checked in templates too', () => {
  const annotations = { 'controller.kubernetes.io/pod-deletion-cost': 'x', 'kubernetes.io/config.mirror': 'y' };
  const deployment = {
    selector: { matchLabels: { app: 'web' } },
    template: { ...template, metadata: { ...template.metadata, annotations } },
  };
  expect(tryCreate(deployments, { metadata: { name: 'a' }, spec: deployment }).problems).toEqual([
    'spec.template.annotations[kubernetes.io/config.mirror]: Invalid value: "y": must set spec.nodeName if mirror pod annotation is set',
    'spec.template.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "x": must be a 32bit integer',
  ]);
});

test('a webhook understands versions, each once, and hears of resources, none twice', () => {
  const webhook = (more: object): object => ({
    metadata: { name: 'a' },
    webhooks: [
      {
        name: 'a.example.com',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { url: 'https://example.com' },
        ...more,
      },
    ],
  });
  const problems = (more: object): string[] => tryCreate(validatingwebhookconfigurations, webhook(more)).problems;
  expect(problems({ admissionReviewVersions: ['v1', 'v1', '1'] })).toEqual([
    'webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version',
    expect.stringMatching(/^webhooks\[0\]\.admissionReviewVersions\[2\]: Invalid value: "1": a DNS-1035 label must/),
  ]);
  expect(problems({ clientConfig: { url: 'http://x', service: { name: 'a', namespace: 'b' } } })).toEqual([
    'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
  ]);
  const resources = (...names: string[]): string[] =>
    problems({ rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: names }] }).map((problem) =>
      problem.replace('webhooks[0].rules[0].', ''),
    );
  expect(resources('pods/*', 'pods/status')).toEqual([
    'resources[1]: Invalid value: "pods/status": if \'pods/*\' is present, must not specify pods/status',
  ]);
  expect(resources('pods/status', 'pods/*')).toEqual([]);
  expect(resources('pods', '*')).toEqual([]);
  expect(resources('*', 'pods')).toEqual([
    'resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources',
  ]);
  expect(resources('*/*', 'pods/*')).toEqual([
    'resources[1]: Invalid value: "pods/*": if \'*/*\' is present, must not specify pods/*',
    'resources: Invalid value: ["*/*","pods/*"]: if \'*/*\' is present, must not specify other resources',
  ]);
});

test('what a FlowSchema applies to is named as it can be asked for', () => {
  const subjects = [{ kind: 'ServiceAccount', serviceAccount: { name: 'A' } }];
  const rule = {
    subjects,
    resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['a.b'] }],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['x', '/a b', '/a//b', '/a*', '/a/*', '/'] }],
  };
  const spec = { priorityLevelConfiguration: { name: 'a' }, rules: [rule] };
  const { problems } = tryCreate(flowschemas, { metadata: { name: 'a' }, spec });
  expect(problems.map((problem) => problem.replace('spec.rules[0].', ''))).toEqual([
    expect.stringMatching(/^subjects\[0\]\.serviceAccount\.name: Invalid value: "A": a lowercase RFC 1123 subdomain/),
    'subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account',
    'resourceRules[0].namespaces[0]: Invalid value: "a.b": each member of this list must be \'*\' or a DNS-1123 label; must not contain dots',
    'nonResourceRules[0].nonResourceURLs[0]: Invalid value: "x": must start with slash',
    'nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/a b": must not contain white-space',
    'nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/a//b": must not contain double slash',
    'nonResourceRules[0].nonResourceURLs[3]: Invalid value: "/a*": wildcard can only do suffix matching',
  ]);
});

test('queues of a priority level are few enough to be dealt', () => {
  const level = (queuing: object, more: object = {}): object => ({
    metadata: { name: 'a' },
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing } }, ...more },
  });
  expect(tryCreate(prioritylevelconfigurations, level({ queues: 512, handSize: 10 }, { exempt: {} })).problems).toEqual([
    'spec.exempt: Forbidden: must be nil if the type is Limited',
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 10: required entropy bits of deckSize 512 and handSize 10 should not be greater than 60',
  ]);
});

test('a volume that is attached has a name', () => {
  const spec = { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: '' } };
  expect(tryCreate(volumeattachments, { metadata: { name: 'a' }, spec }).problems).toEqual([
    'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
  ]);
});

test('addresses and networks that should be written otherwise are warned of', () => {
  const service = {
    type: 'LoadBalancer',
    ports: [{ port: 80 }],
    externalIPs: ['203.0.113.010', '::ffff:203.0.113.1', '2001:DB8:0::1', '203.0.113.1'],
    loadBalancerSourceRanges: ['203.0.113.7/24', '2001:db8::1/32', '10.00.0.0/8'],
  };
  expect(tryCreate(services, { metadata: { name: 'web' }, spec: service }).warnings).toEqual([
    'spec.externalIPs[0]: non-standard IP address "203.0.113.010" will be considered invalid in a future Kubernetes release: use "203.0.113.10"',
    'spec.externalIPs[1]: non-standard IP address "::ffff:203.0.113.1" will be considered invalid in a future Kubernetes release: use "203.0.113.1"',
    'spec.externalIPs[2]: IPv6 address "2001:DB8:0::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    'spec.loadBalancerSourceRanges[0]: CIDR value "203.0.113.7/24" is ambiguous in this context (should be "203.0.113.0/24" or "203.0.113.7/32"?)',
    'spec.loadBalancerSourceRanges[1]: CIDR value "2001:db8::1/32" is ambiguous in this context (should be "2001:db8::/32" or "2001:db8::1/128"?)',
    'spec.loadBalancerSourceRanges[2]: non-standard CIDR value "10.00.0.0/8" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"',
  ]);
  const policy = { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.1.0.0/8', except: ['10.1.2.3/16'] } }] }] };
  expect(tryCreate(networkpolicies, { metadata: { name: 'web' }, spec: policy }).warnings).toEqual([
    'spec.ingress[0].from[0].ipBlock.cidr: CIDR value "10.1.0.0/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.0.0/32"?)',
    'spec.ingress[0].from[0].ipBlock.except[0]: CIDR value "10.1.2.3/16" is ambiguous in this context (should be "10.1.0.0/16" or "10.1.2.3/32"?)',
  ]);
  const slice = { addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8:0::1'] }] };
  expect(tryCreate(endpointslices, { metadata: { name: 'web' }, ...slice }).warnings).toEqual([
    'endpoints[0].addresses[0]: IPv6 address "2001:db8:0::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
});

test('a variable that takes up its earlier value hides nothing', () => {
  const env = [
    { name: 'PATH', value: '/bin' },
    { name: 'PATH', value: '$(PATH):/usr/bin' },
    { name: 'PATH', value: '/usr/bin' },
  ];
  const spec = { containers: [{ ...container, env }], dnsConfig: { nameservers: ['10.0.0.010'] } };
  expect(tryCreate(pods, { metadata: { name: 'a' }, spec }).warnings).toEqual([
    'spec.dnsConfig.nameservers[0]: non-standard IP address "10.0.0.010" will be considered invalid in a future Kubernetes release: use "10.0.0.10"',
    'spec.containers[0].env[2]: hides previous definition of "PATH", which may be dropped when using apply',
  ]);
});
