import { expect, test } from 'vitest';
import { formatImageReference, parseImageReference, repositoryOf } from './image-reference.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io/library/nginx:1.27'],
  ['bitnami/redis:7', 'docker.io/bitnami/redis:7'],
  ['docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['index.docker.io/library/nginx:1', 'docker.io/library/nginx:1'],
  ['localhost:5999/nope:1', 'localhost:5999/nope:1'],
  ['localhost/nope', 'localhost/nope:latest'],
  ['registry.k8s.io/e2e-test-images/agnhost:2.39', 'registry.k8s.io/e2e-test-images/agnhost:2.39'],
  [`busybox@${DIGEST}`, `docker.io/library/busybox@${DIGEST}`],
  [`busybox:1.36@${DIGEST}`, `docker.io/library/busybox:1.36@${DIGEST}`],
])('%s is %s', (name, full) => {
  const reference = parseImageReference(name);
  expect('error' in reference ? reference.error : formatImageReference(reference)).toBe(full);
});

test.each([
  ['NOT:a:NAME', 'invalid reference format: repository name (library/NOT) must be lowercase'],
  ['a:b:c', 'invalid reference format'],
  ['nginx:', 'invalid reference format'],
  ['-x', 'invalid reference format'],
  ['a'.repeat(64), `invalid repository name (${'a'.repeat(64)}), cannot specify 64-byte hexadecimal strings`],
])('%s: %s', (name, error) => {
  expect(parseImageReference(name)).toEqual({ error });
});

test('the repository is the name without tag and digest', () => {
  const reference = parseImageReference('quay.io/a/b:c');
  expect('error' in reference ? '' : repositoryOf(reference)).toBe('quay.io/a/b');
});
