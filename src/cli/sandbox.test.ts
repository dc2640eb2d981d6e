import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

function sandbox(input: string, ...options: string[]): { stdout: string; stderr: string; status: number | null } {
  const args = ['--import', 'tsx', '--conditions=bottleship-source', MAIN, 'sandbox', ...options];
  return spawnSync(process.execPath, args, { input, encoding: 'utf8', env: { ...process.env, LANG: 'C', LC_ALL: 'C' } });
}

test('with piped input it reads lines and tells what happens, the same every time', () => {
  const input =
    'kubectl create deployment web --image=nginx --replicas=2\nG\nkubectl get deployment web\n:fault crash nobody\nkubectl fly\nq\n';
  const first = sandbox(input, '--nodes', '2');
  expect(first.status).toBe(0);
  expect(first.stderr).toBe('');
  for (const part of ['deployment.apps/web created', 'kube-scheduler', '2/2', 'there is no component "nobody"', 'unknown command "fly"'])
    expect(first.stdout).toContain(part);
  expect(sandbox(input, '--nodes', '2').stdout).toBe(first.stdout);
}, 60_000);

test('tries where a pod would go in a cluster that was dumped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bottleship-sandbox-'));
  const node = (name: string, cpu: string) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { allocatable: { cpu, memory: '8Gi', pods: '110' } },
  });
  const container = { name: 'c', image: 'nginx', resources: { requests: { cpu: '2' } } };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'new' }, spec: { containers: [container] } };
  writeFileSync(
    join(folder, 'cluster.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [node('small', '1'), node('large', '4')] }),
  );
  writeFileSync(join(folder, 'pod.json'), JSON.stringify(pod));
  const options = ['--snapshot', join(folder, 'cluster.json'), '-f', join(folder, 'pod.json')];
  const { stdout, stderr, status } = sandbox('kubectl get pod new -o wide\nq\n', ...options);
  expect([stderr, status]).toEqual(['', 0]);
  expect(stdout).toMatch(/new +0\/1 +Pending .* large /);
  expect(sandbox('', '-f', join(folder, 'none.yaml')).status).toBe(2);
  rmSync(folder, { recursive: true });
}, 60_000);

test('says what is wrong with its options', () => {
  const { stderr, status } = sandbox('', '--lang', 'fr');
  expect(status).toBe(2);
  expect(stderr).toContain('there is no language "fr"; there are en, ja');
}, 60_000);
