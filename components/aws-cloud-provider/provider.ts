import { CloudError, type CloudProvider, type InstanceMetadata, instanceNotFound } from '../../src/api/cloud-provider.ts';
import type { Node } from '../../src/api/kinds/core-v1.ts';
import type { XmlElement } from '../../src/api/xml-text.ts';
import { type AwsClient, AwsError } from '../../src/client/aws-client.ts';
import { awsLoadBalancers } from './load-balancers.ts';

/** What cloud-controller-manager knows of AWS: k8s.io/cloud-provider-aws pkg/providers/v1 Cloud. Pods have addresses of the VPC, so that there are no routes. */
export function awsCloudProvider(aws: AwsClient): CloudProvider {
  return {
    instances: {
      instanceExists: async (node) => ((await find(aws, node))?.text('instanceState', 'name') ?? 'terminated') !== 'terminated',
      instanceShutdown: async (node) => (await get(aws, node)).text('instanceState', 'name') === 'stopped',
      instanceMetadata: async (node) => metadataOf(await get(aws, node), aws.options.region),
    },
    loadBalancer: awsLoadBalancers(aws),
    routes: {
      listRoutes: () => Promise.resolve([]),
      createRoute: () => Promise.reject(new CloudError('unable to find route table for AWS cluster: ')),
      deleteRoute: () => Promise.reject(new CloudError('unable to find route table for AWS cluster: ')),
    },
  };
}

/** By its provider ID, once it has one; before that by the name that it was given. */
async function find(aws: AwsClient, { metadata, spec }: Node): Promise<XmlElement | undefined> {
  const id = spec?.providerID?.split('/').at(-1);
  const filter = id ? { Name: 'instance-id', Value: [id] } : { Name: 'tag:Name', Value: [metadata.name ?? ''] };
  const answer = await cloudCall(aws.query('ec2', 'DescribeInstances', { Filter: [filter] }));
  return answer.get('reservationSet', 'item', 'instancesSet', 'item');
}

async function get(aws: AwsClient, node: Node): Promise<XmlElement> {
  const found = await find(aws, node);
  if (!found) throw instanceNotFound();
  return found;
}

function metadataOf(instance: XmlElement, region: string): InstanceMetadata {
  const zone = instance.text('placement', 'availabilityZone') ?? '';
  const dnsName = instance.text('privateDnsName') ?? '';
  return {
    providerID: `aws:///${zone}/${instance.text('instanceId')}`,
    instanceType: instance.text('instanceType') ?? '',
    ...{ zone, region },
    nodeAddresses: [
      { type: 'InternalIP', address: instance.text('privateIpAddress') ?? '' },
      { type: 'InternalDNS', address: dnsName },
      { type: 'Hostname', address: dnsName },
    ],
  };
}

/** What AWS refuses is what the cloud refuses. @throws CloudError */
export async function cloudCall<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof AwsError ? new CloudError(error.message) : error;
  }
}
