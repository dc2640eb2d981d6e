import { spawnSync } from 'node:child_process';
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

test('says what is wrong with its options', () => {
  const { stderr, status } = sandbox('', '--lang', 'fr');
  expect(status).toBe(2);
  expect(stderr).toContain('there is no language "fr"; there are en, ja');
}, 60_000);
