// Goal: the commands of people do what kubectl does, in its words. Method: one cluster, commands in a row, output compared in full.
import { expect, it } from 'vitest';
import { type Cluster, createCluster } from '../cluster/cluster.ts';

const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: nginx, image: 'nginx:1.27' }] }
`;

/** Runs commands one after the other, each until nothing is left to do; gives what they printed. */
async function run(cluster: Cluster, ...commands: string[]): Promise<string[]> {
  const out: string[] = [];
  for (const command of commands) {
    const { stdout, stderr } = await cluster.kubectl(command.split(' '), { 'web.yaml': manifest, 'empty.yaml': '' });
    await cluster.settle();
    out.push(...[...stdout, ...stderr].map((line) => line.replace(/ \d+s$/, ' <age>')));
  }
  return out;
}

it('creates, shows, changes and deletes', async () => {
  const cluster = await createCluster({ nodes: 2 });
  expect(
    await run(
      cluster,
      'apply -f web.yaml',
      'apply -f web.yaml',
      'get deployments',
      'scale deployment/web --replicas=3',
      'set image deployment/web nginx=nginx:1.28',
      'rollout status deployment/web',
      'rollout undo deployment/web',
      'label deployment web tier=front',
      'label deployment web tier=back',
      'annotate deploy/web note=1',
      'cordon n1',
      'cordon n1',
      'uncordon n1',
      'patch deployment web -p {"spec":{"replicas":1}}',
      'get deploy/web -o name',
      'delete deployment web',
      'get pods',
    ),
  ).toEqual([
    'deployment.apps/web created',
    'deployment.apps/web unchanged',
    'NAME   READY   UP-TO-DATE   AVAILABLE   AGE',
    'web    2/2     2            2           <age>',
    'deployment.apps/web scaled',
    'deployment.apps/web image updated',
    'deployment "web" successfully rolled out',
    'deployment.apps/web rolled back',
    'deployment.apps/web labeled',
    "error: 'tier' already has a value (front), and --overwrite is false",
    'deployment.apps/web annotated',
    'node/n1 cordoned',
    'node/n1 already cordoned',
    'node/n1 uncordoned',
    'deployment.apps/web patched',
    'deployment.apps/web',
    'deployment.apps "web" deleted from default namespace',
    'No resources found in default namespace.',
  ]);
});

it('rolls out StatefulSets and DaemonSets', async () => {
  const cluster = await createCluster({ nodes: 2 });
  const kinds: Record<string, string> = {
    'StatefulSet/db': '{ replicas: 2, serviceName: db, SPEC }',
    'DaemonSet/agent': '{ SPEC }',
  };
  for (const [which, spec] of Object.entries(kinds)) {
    const [kind, name] = which.split('/');
    const template = `selector: { matchLabels: { app: ${name} } }, template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: c, image: 'nginx:1.27' }] } }`;
    await cluster.kubectl(['apply', '-f', 'x.yaml'], {
      'x.yaml': `apiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec.replace('SPEC', template)}\n`,
    });
  }
  await cluster.settle();
  const out = await run(
    cluster,
    'rollout restart sts/db',
    'rollout status sts/db',
    'rollout restart ds/agent',
    'rollout status ds/agent',
    'rollout history ds/agent',
  );
  expect(out).toEqual([
    'statefulset.apps/db restarted',
    'partitioned roll out complete: 2 new pods have been updated...',
    'daemonset.apps/agent restarted',
    'daemon set "agent" successfully rolled out',
    'daemonset.apps/agent ',
    'REVISION  CHANGE-CAUSE',
    '1         <none>',
    '2         <none>',
    '',
  ]);
});

it('drains a node', async () => {
  const cluster = await createCluster({ nodes: 2 });
  await run(cluster, 'apply -f web.yaml');
  const out = await run(cluster, 'drain n1', 'get nodes', 'uncordon n1');
  expect(out.filter((line) => !/evict/.test(line)).slice(0, 2)).toEqual(['node/n1 cordoned', 'node/n1 drained']);
  expect(out.find((line) => line.startsWith('n1'))).toMatch(/^n1 +Ready,SchedulingDisabled +<none> +/);
});

it('says which nodes could not be drained, and drains the others', async () => {
  const cluster = await createCluster({ nodes: 2 });
  const bare = 'deleting Pods that declare no controller';
  const bound = (name: string): string =>
    `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}","labels":{"app":"${name}"}},"spec":{"nodeName":"${name}","containers":[{"name":"c","image":"nginx"}]}}`;
  const files = { 'n1.json': bound('n1'), 'n2.json': bound('n2') };
  await cluster.kubectl(['apply', '-f', 'n1.json', '-f', 'n2.json'], files);
  await cluster.settle();
  for (const name of ['a', 'b']) await run(cluster, `create poddisruptionbudget ${name} --selector=app=n1 --min-available=0`);
  const { code, stdout, stderr } = await cluster.kubectl(['drain', 'n1', 'n2', '--force']);
  const what = `error when evicting pods/"n1" -n "default": This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.`;
  expect(code).toBe(1);
  expect(stdout.filter((text) => !text.startsWith('evicting'))).toEqual([
    'node/n1 cordoned',
    'node/n2 cordoned',
    'pod/n2 evicted',
    'node/n2 drained',
  ]);
  expect(stderr.join('\n').split('\n')).toEqual([
    `Warning: ${bare}: default/n1`,
    `There are pending pods in node "n1" when an error occurred: ${what}`,
    'pod/n1',
    `error: unable to drain node "n1" due to error: ${what}, continuing command...`,
    `Warning: ${bare}: default/n2`,
    'There are pending nodes to be drained:',
    ' n1',
    what,
  ]);
});

it('refuses in the words of kubectl and of the server', async () => {
  const cluster = await createCluster({ nodes: 0, components: [] });
  expect(
    await run(
      cluster,
      'explode',
      'get pud',
      'get pods web',
      'delete pod',
      'delete pod web',
      'scale deployment/web',
      'apply -f none.yaml',
      'apply -f empty.yaml',
      'create deployment web',
      'rollout undo deployment/web',
      'get pods -o chart',
      'drain n1',
    ),
  ).toEqual([
    'error: unknown command "explode" for "kubectl"\n\nDid you mean this?\n\texpose',
    'error: the server doesn\'t have a resource type "pud"',
    'Error from server (NotFound): pods "web" not found',
    'error: resource(s) were provided, but no name was specified',
    'Error from server (NotFound): pods "web" not found',
    'error: required flag(s) "replicas" not set',
    'error: the path "none.yaml" does not exist',
    'error: no objects passed to apply',
    'error: required flag(s) "image" not set',
    'Error from server (NotFound): deployments.apps "web" not found',
    'error: unable to match a printer suitable for the output format "chart", allowed formats are: custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,wide,yaml',
    'Error from server (NotFound): nodes "n1" not found',
  ]);
});

it('takes a taint off by a key with a slash', async () => {
  const cluster = await createCluster({ nodes: 1 });
  const out = await run(cluster, 'taint node n1 example.com/reserved:NoSchedule', 'taint nodes n1 example.com/reserved-');
  expect(out).toEqual(['node/n1 tainted', 'node/n1 untainted']);
});

it('creates a binding, which is carried out and not kept', async () => {
  const cluster = await createCluster({ nodes: 1, components: ['kubelet'] });
  const files = {
    'binding.yaml': '{ apiVersion: v1, kind: Binding, metadata: { name: web }, target: { apiVersion: v1, kind: Node, name: n1 } }',
    'other.yaml': '{ apiVersion: v1, kind: Binding, metadata: { name: api }, target: { apiVersion: v1, kind: Node, name: n1 } }',
  };
  const told = async (command: string): Promise<string[]> => {
    const { stdout, stderr } = await cluster.kubectl(command.split(' '), files);
    return [...stdout, ...stderr];
  };
  await told('create serviceaccount default');
  await told('run web --image=nginx:1.27');
  await told('run api --image=nginx:1.27');
  expect(await told('create -f binding.yaml')).toEqual(['binding/web created']);
  expect(await told('apply -f other.yaml')).toEqual(['error: object does not implement the Object interfaces']);
  expect(await told('get pod api -o jsonpath={.spec.nodeName}')).toEqual(['n1']);
});

/** openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/O=system:nodes/CN=system:node:n1" */
const CSR =
  'MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQDAU3mWSl9CnYthU' +
  '07C4pZyV2oY9Q4LMWFdWbnmoMKozI9eMvMbUBA+cznO8ykv+sInf7Dh7WDw9YuubLrDkimoAAwCgYIKoZIzj0EAwIDSAAwRQIgSjljbggwBT0NtVWmaiK6cc05O9pGTVAX' +
  'dEhpE4xt/y8CIQDPVuNYwpcXGYdPGxKnLWZCSo4G9xDBLGOg0/cq79A6xg==';

it('approves and denies requests for certificates', async () => {
  const cluster = await createCluster({ nodes: 1 });
  const request = (name: string): string => `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: { name: ${name} }
spec:
  request: ${btoa(`-----BEGIN CERTIFICATE REQUEST-----\n${CSR}\n-----END CERTIFICATE REQUEST-----\n`)}
  signerName: kubernetes.io/kube-apiserver-client
  usages: [client auth]
---`;
  const files = { 'csr.yaml': request('a') + request('b') };
  const kubectl = async (command: string): Promise<[readonly string[], readonly string[], number]> => {
    const { stdout, stderr, code } = await cluster.kubectl(command.split(' '), files);
    await cluster.settle();
    return [stdout, stderr, code];
  };
  await kubectl('apply -f csr.yaml');
  const name = 'certificatesigningrequest.certificates.k8s.io';
  expect(await kubectl('certificate approve a')).toEqual([[`${name}/a approved`], [], 0]);
  expect(await kubectl('certificate approve a')).toEqual([[`${name}/a approved`], [], 0]);
  expect(await kubectl('certificate deny a b')).toEqual([[], ['error: certificate signing request "a" is already Approved'], 1]);
  expect(await kubectl('certificate deny b')).toEqual([[`${name}/b denied`], [], 0]);
  expect(await kubectl('certificate approve')).toEqual([[], ['error: one or more CSRs must be specified as <name> or -f <filename>'], 1]);
  expect(await kubectl('certificate approve none')).toEqual([
    [],
    ['Error from server (NotFound): certificatesigningrequests.certificates.k8s.io "none" not found'],
    1,
  ]);
  const [lines] = await kubectl('get csr --no-headers');
  expect(lines.map((line) => line.split(/ +/).at(-1))).toEqual(['Approved,Issued', 'Denied']);
  const [reasons] = await kubectl('get csr -o jsonpath={.items[*].status.conditions[0].reason}');
  expect(reasons).toEqual(['KubectlApprove KubectlDeny']);
});

it('says which pods the scopes of a quota are about', async () => {
  const cluster = await createCluster({ nodes: 1 });
  const quota = 'create quota small --hard=pods=2 --scopes=BestEffort,NotTerminating';
  expect(await run(cluster, quota, 'describe quota small')).toEqual([
    'resourcequota/small created',
    'Name:       small',
    'Namespace:  default',
    'Scopes:     BestEffort, NotTerminating',
    ' * Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
    ' * Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
    'Resource  Used  Hard',
    '--------  ----  ----',
    'pods      0     2',
  ]);
});
