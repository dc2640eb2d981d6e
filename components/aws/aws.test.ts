import { describe, expect, it } from 'vitest';
import type { OutboundRequest } from '../../src/api/outbound.ts';
import { parseXml, type XmlElement } from '../../src/api/xml-text.ts';
import { AwsClient, type AwsParameters, type AwsQueryService } from '../../src/client/aws-client.ts';
import { Simulation } from '../../src/sim/simulation.ts';
import { Aws } from './aws.ts';
import { INSTANCE_TYPES, type InstanceType } from './instance-types.ts';

function account(actions: readonly string[] = ['*']) {
  const simulation = new Simulation({ seed: '1' });
  const actor = simulation.actor('aws', () => {});
  actor.start();
  const healthy = new Set<string>();
  const zones = ['us-west-2a', 'us-west-2b'];
  const probe = (ip: string, port: number): boolean => healthy.has(`${ip}:${port}`);
  const aws = new Aws(actor, { accountId: '111122223333', region: 'us-west-2', zones, probe, keysOfIssuer: () => undefined });
  const role = aws.iam.createRole({ name: 'tester', trust: [], actions });
  const credentials = { accessKeyId: aws.iam.issue(role, 'test').accessKeyId };
  const send = (request: OutboundRequest) => Promise.resolve(aws.handle(request));
  const client = new AwsClient({ region: 'us-west-2', credentials, send });
  const refused = async (service: AwsQueryService, action: string, parameters: AwsParameters): Promise<string> =>
    client.query(service, action, parameters).then(
      () => 'done',
      (error: { code: string; reason: string }) => `${error.code}: ${error.reason}`,
    );
  const run = (name: string, type: string, zone = 'us-west-2a') =>
    aws.ec2.run({ name, type: INSTANCE_TYPES.get(type) as InstanceType, zone, ip: `192.168.0.${10 + aws.ec2.instances.all.length}` });
  return { simulation, aws, client, credentials, refused, run, healthy };
}

describe('the door', () => {
  it('answers as the Query API of EC2 does', async () => {
    const { aws, credentials, run } = account();
    const { instanceId } = run('n1', 't3.small');
    const headers = {
      authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/us-west-2/ec2/aws4_request, SignedHeaders=host, Signature=`,
    };
    const body = new URLSearchParams({ Action: 'DescribeInstances', Version: '2016-11-15', 'InstanceId.1': instanceId });
    const response = await aws.fetch(
      new Request('https://ec2.us-west-2.amazonaws.com/', { method: 'POST', headers, body: body.toString() }),
    );
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml;charset=UTF-8']);
    const text = await response.text();
    expect(text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<DescribeInstancesResponse xmlns="http:\/\/ec2.amazonaws.com\/doc\/2016-11-15\/"><requestId>[0-9a-f-]{36}<\/requestId><reservationSet><item>/,
    );
    const instance = parseXml(text)?.get('reservationSet', 'item', 'instancesSet', 'item');
    expect(instance?.text('instanceState', 'name')).toBe('running');
    expect(instance?.text('placement', 'availabilityZone')).toBe('us-west-2a');
    expect(instance?.text('privateDnsName')).toBe('ip-192-168-0-10.us-west-2.compute.internal');
  });

  it('refuses in the documents of each service', async () => {
    const { aws, refused } = account([]);
    const unsigned = await aws.fetch(new Request('https://sts.us-west-2.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15'));
    expect(unsigned.status).toBe(403);
    expect(await unsigned.text()).toContain(
      '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>MissingAuthenticationToken</Code>',
    );
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=AKIANOBODY/20260101/us-west-2/ec2/aws4_request' };
    const unknown = await aws.fetch(new Request('https://ec2.us-west-2.amazonaws.com/?Action=DescribeVolumes', { headers }));
    expect(await unknown.text()).toMatch(
      /<Response><Errors><Error><Code>AuthFailure<\/Code><Message>AWS was not able to validate the provided access credentials<\/Message><\/Error><\/Errors><RequestID>/,
    );
    expect(await refused('ec2', 'CreateVolume', {})).toBe('UnauthorizedOperation: You are not authorized to perform this operation.');
    expect(await refused('elasticloadbalancing', 'CreateLoadBalancer', {})).toMatch(
      /^AccessDenied: User: arn:aws:sts::111122223333:assumed-role\/tester\/test is not authorized to perform: elasticloadbalancing:CreateLoadBalancer/,
    );
    expect(await refused('ec2', 'Nothing', {})).toBe('InvalidAction: The action Nothing is not valid for this web service.');
  });
});

describe('EC2', () => {
  it('gives an instance as many interfaces and addresses as its type has', async () => {
    const { client, refused, run } = account();
    const { instanceId, subnet } = run('n1', 't3.small');
    const types = await client.query('ec2', 'DescribeInstanceTypes', { InstanceType: ['t3.small'] });
    const info = types.get('instanceTypeSet', 'item', 'networkInfo');
    expect([info?.text('maximumNetworkInterfaces'), info?.text('ipv4AddressesPerInterface')]).toEqual(['3', '4']);
    const found = await client.query('ec2', 'DescribeNetworkInterfaces', {
      Filter: [{ Name: 'attachment.instance-id', Value: [instanceId] }],
    });
    const NetworkInterfaceId = found.text('networkInterfaceSet', 'item', 'networkInterfaceId') ?? '';
    const assigned = await client.query('ec2', 'AssignPrivateIpAddresses', { NetworkInterfaceId, SecondaryPrivateIpAddressCount: 3 });
    expect(assigned.items('assignedPrivateIpAddressesSet')).toHaveLength(3);
    expect(await refused('ec2', 'AssignPrivateIpAddresses', { NetworkInterfaceId, SecondaryPrivateIpAddressCount: 1 })).toBe(
      'PrivateIpAddressLimitExceeded: Number of private addresses will exceed limit.',
    );
    const attach = async (DeviceIndex: number): Promise<string> => {
      const made = await client.query('ec2', 'CreateNetworkInterface', { SubnetId: subnet.subnetId });
      return refused('ec2', 'AttachNetworkInterface', {
        NetworkInterfaceId: made.text('networkInterface', 'networkInterfaceId'),
        InstanceId: instanceId,
        DeviceIndex,
      });
    };
    expect([await attach(1), await attach(2), await attach(3)]).toEqual([
      'done',
      'done',
      'AttachmentLimitExceeded: Interface count 4 exceeds the limit for t3.small',
    ]);
  });

  it('keeps a volume in its zone, on one instance at a time', async () => {
    const { client, refused, run, simulation } = account();
    const [here, there] = [run('n1', 'm5.large'), run('n2', 'm5.large', 'us-west-2b')];
    const make = { AvailabilityZone: 'us-west-2a', Size: 8, VolumeType: 'gp3', ClientToken: 'once' };
    const made = await client.query('ec2', 'CreateVolume', make);
    const VolumeId = made.text('volumeId') ?? '';
    expect((await client.query('ec2', 'CreateVolume', make)).text('volumeId')).toBe(VolumeId);
    expect(made.text('status')).toBe('creating');
    await simulation.advance(2_000);
    const Device = '/dev/xvdaa';
    expect(await refused('ec2', 'AttachVolume', { VolumeId, Device, InstanceId: there.instanceId })).toBe(
      `InvalidVolume.ZoneMismatch: The volume '${VolumeId}' is not in the same availability zone as instance '${there.instanceId}'`,
    );
    await client.query('ec2', 'AttachVolume', { VolumeId, Device, InstanceId: here.instanceId });
    expect(await refused('ec2', 'DeleteVolume', { VolumeId })).toBe(
      `VolumeInUse: Volume ${VolumeId} is currently attached to ${here.instanceId}`,
    );
    await simulation.advance(2_000);
    const found = await client.query('ec2', 'DescribeVolumes', { VolumeId: [VolumeId] });
    expect(found.text('volumeSet', 'item', 'attachmentSet', 'item', 'status')).toBe('attached');
    expect((await client.query('ec2', 'CreateSnapshot', { VolumeId })).text('volumeSize')).toBe('8');
    await client.query('ec2', 'DetachVolume', { VolumeId });
    await client.query('ec2', 'DeleteVolume', { VolumeId });
    expect(await refused('ec2', 'DescribeVolumes', { VolumeId: [VolumeId] })).toBe(
      `InvalidVolume.NotFound: The volume '${VolumeId}' does not exist.`,
    );
  });
});

describe('Elastic Load Balancing', () => {
  it('sends to targets that answer', async () => {
    const { aws, client, refused, simulation, healthy } = account();
    const elb = (action: string, parameters: AwsParameters) => client.query('elasticloadbalancing', action, parameters);
    const Subnets = aws.ec2.subnets.all.map(({ subnetId }) => subnetId);
    expect(await refused('elasticloadbalancing', 'CreateLoadBalancer', { Name: 'web', Subnets: Subnets.slice(1) })).toBe(
      'ValidationError: At least two subnets in two different Availability Zones must be specified',
    );
    const balancer = (await elb('CreateLoadBalancer', { Name: 'web', Subnets })).get('LoadBalancers', 'member');
    expect(balancer?.text('DNSName')).toMatch(/^web-\d{10}\.us-west-2\.elb\.amazonaws\.com$/);
    expect(balancer?.text('State', 'Code')).toBe('provisioning');
    const LoadBalancerArn = balancer?.text('LoadBalancerArn');
    const group = { Name: 'g', Protocol: 'HTTP', Port: 80, TargetType: 'ip', VpcId: aws.ec2.vpcId };
    const TargetGroupArn = (await elb('CreateTargetGroup', group)).text('TargetGroups', 'member', 'TargetGroupArn');
    await elb('RegisterTargets', { TargetGroupArn, Targets: [{ Id: '192.168.0.99', Port: 8080 }] });
    const state = async (): Promise<string | undefined> =>
      (await elb('DescribeTargetHealth', { TargetGroupArn })).text('TargetHealthDescriptions', 'member', 'TargetHealth', 'State');
    expect(await state()).toBe('unused');
    const DefaultActions = [{ Type: 'fixed-response', FixedResponseConfig: { StatusCode: '404' } }];
    const listener = await elb('CreateListener', { LoadBalancerArn, Port: 80, Protocol: 'HTTP', DefaultActions });
    const ListenerArn = listener.text('Listeners', 'member', 'ListenerArn');
    const Conditions = [{ Field: 'path-pattern', PathPatternConfig: { Values: ['/*'] } }];
    const rule = { ListenerArn, Priority: 1, Conditions, Actions: [{ Type: 'forward', TargetGroupArn }] };
    await elb('CreateRule', rule);
    expect(await refused('elasticloadbalancing', 'CreateRule', rule)).toBe("PriorityInUse: Priority '1' is currently in use");
    expect(await state()).toBe('initial');
    await simulation.advance(60_000);
    expect(await state()).toBe('unhealthy');
    healthy.add('192.168.0.99:8080');
    expect(await state()).toBe('healthy');
    expect(await refused('elasticloadbalancing', 'DeleteTargetGroup', { TargetGroupArn })).toContain('ResourceInUse: Target group');
    await elb('DeleteLoadBalancer', { LoadBalancerArn });
    await elb('DeleteTargetGroup', { TargetGroupArn });
  });
});

describe('S3', () => {
  it('makes buckets whose names nobody in the world has', async () => {
    const { client } = account();
    const body = '<CreateBucketConfiguration><LocationConstraint>us-west-2</LocationConstraint></CreateBucketConfiguration>';
    const make = (bucket: string, text = body) =>
      client.s3('CreateBucket', { method: 'PUT', bucket, body: text }).then(
        () => 'made',
        (error: { code: string }) => error.code,
      );
    expect([
      await make('reports-4711'),
      await make('reports-4711'),
      await make('test-bucket'),
      await make('No'),
      await make('other-4711', ''),
    ]).toEqual(['made', 'BucketAlreadyOwnedByYou', 'BucketAlreadyExists', 'InvalidBucketName', 'IllegalLocationConstraintException']);
    const list = await client.s3('ListBuckets', { method: 'GET' });
    expect(list?.items('Buckets').map((bucket) => bucket.text('Name'))).toEqual(['reports-4711']);
    await client.s3('DeleteBucket', { method: 'DELETE', bucket: 'reports-4711' });
    await expect(client.s3('HeadBucket', { method: 'HEAD', bucket: 'reports-4711' })).rejects.toMatchObject({ code: 'NotFound' });
    await expect(client.s3('DeleteBucket', { method: 'DELETE', bucket: 'reports-4711' })).rejects.toMatchObject({
      code: 'NoSuchBucket',
      reason: 'The specified bucket does not exist',
    });
  });
});

/** Names of the fields of an element, and of what is in it, as `a.b`; lists count by their first item. */
function fieldsOf(element: XmlElement | undefined, prefix = ''): string[] {
  const children = element?.children ?? [];
  return children.flatMap((child) => {
    const name = prefix ? `${prefix}.${child.name}` : child.name;
    return child.children.length > 0 ? fieldsOf(child, name) : [name];
  });
}

const VOLUME = [
  'volumeId',
  'size',
  'snapshotId',
  'availabilityZone',
  'status',
  'createTime',
  'volumeType',
  'iops',
  'encrypted',
  'multiAttachEnabled',
];
const ATTACHMENT = ['volumeId', 'instanceId', 'device', 'status', 'attachTime', 'deleteOnTermination'];
const under = (path: string, names: readonly string[]): string[] => names.map((name) => `${path}.${name}`);
const SNAPSHOT = ['snapshotId', 'volumeId', 'status', 'startTime', 'progress', 'ownerId', 'volumeSize', 'description', 'encrypted'];

// Amazon EC2 API Reference, response elements and examples of each action; the optional ones that nobody here asks for are left out.
describe('documents of EC2 have what the reference says', () => {
  const id = (made: XmlElement, field: string): string => made.text(field) ?? '';

  it('of volumes', async () => {
    const { client, run, simulation } = account();
    const { instanceId } = run('n1', 't3.small');
    const made = await client.query('ec2', 'CreateVolume', { AvailabilityZone: 'us-west-2a', Size: 10, VolumeType: 'gp3' });
    expect(fieldsOf(made)).toEqual(expect.arrayContaining([...VOLUME, 'throughput', 'requestId']));
    expect(['iops', 'throughput', 'encrypted', 'status'].map((field) => made.text(field))).toEqual(['3000', '125', 'false', 'creating']);
    const VolumeId = id(made, 'volumeId');
    await simulation.advance(2_000);
    const attached = await client.query('ec2', 'AttachVolume', { VolumeId, InstanceId: instanceId, Device: '/dev/xvdaa' });
    expect(fieldsOf(attached)).toEqual(expect.arrayContaining([...ATTACHMENT, 'requestId']));
    const described = (await client.query('ec2', 'DescribeVolumes', { VolumeId: [VolumeId] })).get('volumeSet', 'item');
    expect(fieldsOf(described)).toEqual(expect.arrayContaining([...VOLUME, ...under('attachmentSet.item', ATTACHMENT)]));
    const modified = await client.query('ec2', 'ModifyVolume', { VolumeId, Size: 20 });
    expect(fieldsOf(modified)).toEqual(
      expect.arrayContaining(
        under('volumeModification', [
          ...['volumeId', 'modificationState', 'progress', 'startTime', 'targetSize', 'targetVolumeType', 'targetIops'],
          ...['originalSize', 'originalVolumeType', 'originalIops'],
        ]),
      ),
    );
    const detached = await client.query('ec2', 'DetachVolume', { VolumeId, InstanceId: instanceId });
    expect([detached.text('status'), ...fieldsOf(detached)]).toEqual(expect.arrayContaining(['detaching', ...ATTACHMENT]));
    const gp2 = await client.query('ec2', 'CreateVolume', { AvailabilityZone: 'us-west-2a', Size: 100 });
    expect([gp2.text('volumeType'), gp2.text('iops'), gp2.text('throughput')]).toEqual(['gp2', '300', undefined]);
  });

  it('of snapshots, which are pending for a while', async () => {
    const { client, refused, simulation } = account();
    const VolumeId = id(await client.query('ec2', 'CreateVolume', { AvailabilityZone: 'us-west-2a', Size: 10 }), 'volumeId');
    const made = await client.query('ec2', 'CreateSnapshot', { VolumeId, Description: 'daily' });
    expect(fieldsOf(made)).toEqual(expect.arrayContaining([...SNAPSHOT, 'requestId']));
    expect([made.text('status'), made.text('volumeSize'), made.text('ownerId')]).toEqual(['pending', '10', '111122223333']);
    const SnapshotId = id(made, 'snapshotId');
    const restore = { AvailabilityZone: 'us-west-2a', SnapshotId };
    expect(await refused('ec2', 'CreateVolume', restore)).toBe('IncorrectState: Snapshot is in invalid state - pending');
    await simulation.advance(10_000);
    const listed = (await client.query('ec2', 'DescribeSnapshots', { SnapshotId: [SnapshotId] })).get('snapshotSet', 'item');
    expect([listed?.text('status'), listed?.text('progress')]).toEqual(['completed', '100%']);
    expect((await client.query('ec2', 'CreateVolume', restore)).text('size')).toBe('10');
    await client.query('ec2', 'DeleteSnapshot', { SnapshotId });
    expect(await refused('ec2', 'DescribeSnapshots', { SnapshotId: [SnapshotId] })).toBe(
      `InvalidSnapshot.NotFound: The snapshot '${SnapshotId}' does not exist.`,
    );
  });
});

// Elastic Load Balancing API Reference, version 2015-12-01.
it('documents of target groups have what the reference says', async () => {
  const { client, aws } = account();
  const group = { Name: 'web', Protocol: 'HTTP', Port: 80, VpcId: aws.ec2.vpcId, TargetType: 'ip', HealthCheckPath: '/' };
  const made = (await client.query('elasticloadbalancing', 'CreateTargetGroup', group)).get('TargetGroups', 'member');
  expect(fieldsOf(made)).toEqual(
    expect.arrayContaining([
      ...['TargetGroupArn', 'TargetGroupName', 'Protocol', 'ProtocolVersion', 'Port', 'VpcId', 'TargetType', 'IpAddressType'],
      ...['HealthCheckProtocol', 'HealthCheckPort', 'HealthCheckEnabled', 'HealthCheckIntervalSeconds', 'HealthCheckTimeoutSeconds'],
      ...['HealthyThresholdCount', 'UnhealthyThresholdCount', 'HealthCheckPath', 'Matcher.HttpCode'],
    ]),
  );
});
