import { expect, it } from 'vitest';
import { parseImageReference } from '../../src/api/image-reference.ts';
import { Registries } from './registries.ts';

it('says of registries that are down what a pull ends with', () => {
  const registries = new Registries();
  const problem = (name: string): string | undefined => {
    const reference = parseImageReference(name);
    return 'error' in reference ? reference.error : registries.problemOf(reference);
  };
  registries.setDown('docker.io', true);
  expect(problem('nginx:1.27')).toMatch(
    /^failed to do request: Head "https:\/\/registry-1.docker.io\/v2\/library\/nginx\/manifests\/1.27": dial tcp 192.0.2.\d+:443: connect: connection refused$/,
  );
  expect(problem('quay.io/app:1')).toBeUndefined();
  registries.setDown('*', true);
  expect(problem('quay.io/app:1')).toContain('https://quay.io/v2/app/manifests/1');
  registries.setDown('*', false);
  expect(problem('nginx:1.27')).toBeUndefined();
});
