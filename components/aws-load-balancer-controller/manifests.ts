import type { CustomResourceDefinition } from '../../src/api/kinds/apiextensions-v1.ts';
import type { PolicyRule } from '../../src/api/kinds/rbac-v1.ts';
import { customresourcedefinitions, ingressclasses, mutatingwebhookconfigurations } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { unlessThere } from '../../src/client/install.ts';
import { ingressclassparams, targetgroupbindings } from './api.ts';

export const AWS_LOAD_BALANCER_CONTROLLER = 'aws-load-balancer-controller';
/** What an IngressClass of ours names. */
export const INGRESS_CONTROLLER = 'ingress.k8s.aws/alb';

const READ = ['get', 'list', 'watch'];
/** config/rbac/role.yaml */
export const AWS_LOAD_BALANCER_CONTROLLER_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  { apiGroups: [''], resources: ['nodes', 'namespaces', 'pods'], verbs: READ },
  { apiGroups: [''], resources: ['services'], verbs: [...READ, 'patch', 'update'] },
  { apiGroups: [''], resources: ['services/status'], verbs: ['patch', 'update'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
  { apiGroups: ['networking.k8s.io'], resources: ['ingressclasses'], verbs: READ },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: [...READ, 'patch', 'update'] },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses/status'], verbs: ['patch', 'update'] },
  { apiGroups: ['elbv2.k8s.aws'], resources: ['ingressclassparams'], verbs: READ },
  { apiGroups: ['elbv2.k8s.aws'], resources: ['targetgroupbindings'], verbs: [...READ, 'create', 'delete', 'patch', 'update'] },
  { apiGroups: ['elbv2.k8s.aws'], resources: ['targetgroupbindings/status'], verbs: ['patch', 'update'] },
];

const text = { type: 'string' };
const DEFINITION: CustomResourceDefinition = {
  metadata: { name: 'targetgroupbindings.elbv2.k8s.aws' },
  spec: {
    group: targetgroupbindings.group,
    names: {
      kind: targetgroupbindings.kind,
      listKind: 'TargetGroupBindingList',
      plural: targetgroupbindings.resource,
      singular: 'targetgroupbinding',
    },
    scope: 'Namespaced',
    versions: [
      {
        name: targetgroupbindings.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'SERVICE-NAME', type: 'string', jsonPath: '.spec.serviceRef.name', description: "The Kubernetes Service's name" },
          { name: 'SERVICE-PORT', type: 'string', jsonPath: '.spec.serviceRef.port', description: "The Kubernetes Service's port" },
          { name: 'TARGET-TYPE', type: 'string', jsonPath: '.spec.targetType', description: "The AWS TargetGroup's TargetType" },
          {
            name: 'ARN',
            type: 'string',
            jsonPath: '.spec.targetGroupARN',
            description: "The AWS TargetGroup's Amazon Resource Name",
            priority: 1,
          },
          { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['serviceRef'],
                properties: {
                  targetGroupARN: text,
                  targetType: { ...text, enum: ['instance', 'ip'] },
                  serviceRef: {
                    type: 'object',
                    required: ['name', 'port'],
                    properties: { name: text, port: { anyOf: [{ type: 'integer' }, text], 'x-kubernetes-int-or-string': true } },
                  },
                  ipAddressType: { ...text, enum: ['ipv4', 'ipv6'] },
                  vpcID: text,
                },
              },
              status: { type: 'object', properties: { observedGeneration: { type: 'integer', format: 'int64' } } },
            },
          },
        },
      },
    ],
  },
};

const requirement = {
  type: 'object',
  required: ['key', 'operator'],
  properties: { key: text, operator: text, values: { type: 'array', items: text } },
};
const selector = {
  type: 'object',
  properties: { matchLabels: { type: 'object', additionalProperties: text }, matchExpressions: { type: 'array', items: requirement } },
};
const PARAMS_DEFINITION: CustomResourceDefinition = {
  metadata: { name: `${ingressclassparams.resource}.${ingressclassparams.group}` },
  spec: {
    group: ingressclassparams.group,
    names: {
      kind: ingressclassparams.kind,
      listKind: 'IngressClassParamsList',
      plural: ingressclassparams.resource,
      singular: ingressclassparams.singular,
    },
    scope: 'Cluster',
    versions: [
      {
        name: ingressclassparams.version,
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { name: 'GROUP-NAME', type: 'string', jsonPath: '.spec.group.name', description: 'The Ingress Group name' },
          { name: 'SCHEME', type: 'string', jsonPath: '.spec.scheme', description: 'The AWS Load Balancer scheme' },
          { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  group: { type: 'object', required: ['name'], properties: { name: text } },
                  namespaceSelector: selector,
                  scheme: { ...text, enum: ['internal', 'internet-facing'] },
                  targetType: { ...text, enum: ['instance', 'ip'] },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** Where it listens for kube-apiserver. */
export const AWS_LOAD_BALANCER_WEBHOOK_PORT = 9443;

/** Without an answer no Service is created, of whatever type. */
const WEBHOOK = {
  name: 'mservice.elbv2.k8s.aws',
  clientConfig: { url: `https://127.0.0.1:${AWS_LOAD_BALANCER_WEBHOOK_PORT}/mutate-v1-service` },
  failurePolicy: 'Fail',
  objectSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'NotIn', values: [AWS_LOAD_BALANCER_CONTROLLER] }] },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['services'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

/** Creates the definitions and the class `alb`. What is there already stays. */
export async function installAwsLoadBalancerController(client: Client): Promise<void> {
  for (const definition of [DEFINITION, PARAMS_DEFINITION])
    await unlessThere(client.resource(customresourcedefinitions).create(definition));
  await unlessThere(client.resource(ingressclasses).create({ metadata: { name: 'alb' }, spec: { controller: INGRESS_CONTROLLER } }));
}

/** Has kube-apiserver ask the webhook, once it listens. */
export async function installServiceWebhook(client: Client): Promise<void> {
  const configuration = { metadata: { name: 'aws-load-balancer-webhook' }, webhooks: [WEBHOOK] };
  await unlessThere(client.resource(mutatingwebhookconfigurations).create(configuration));
}
