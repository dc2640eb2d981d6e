import { expect, test } from 'vitest';
import { type ImageReference, parseImageReference } from '../../src/api/image-reference.ts';
import { ImageCatalogue } from './images.ts';

function parse(name: string): ImageReference {
  const reference = parseImageReference(name);
  if ('error' in reference) throw new Error(reference.error);
  return reference;
}

test('known images, any other image', () => {
  const catalogue = new ImageCatalogue();
  expect(catalogue.find(parse('nginx:1.27'))).toMatchObject({ known: true, ports: [80] });
  expect(catalogue.find(parse('example.com/app:v1'))).toMatchObject({ ports: 'any' });
});

test('declared images come first, with and without a tag', () => {
  const catalogue = new ImageCatalogue([
    { name: 'nginx:broken', exit: { afterMs: 10, code: 1 } },
    { name: 'example.com/app', ports: [8080] },
  ]);
  expect(catalogue.find(parse('nginx:broken'))).toMatchObject({ exit: { code: 1 } });
  expect(catalogue.find(parse('nginx:1.27'))).toMatchObject({ ports: [80] });
  expect(catalogue.find(parse('example.com/app:v7'))).toMatchObject({ ports: [8080] });
});

test('pulls that fail', () => {
  const catalogue = new ImageCatalogue([{ name: 'private/app', pull: { error: 'unauthorized' } }]);
  expect(catalogue.pull(parse('localhost:5999/nope:1'))).toEqual({
    error:
      'failed to pull and unpack image "localhost:5999/nope:1": failed to resolve reference "localhost:5999/nope:1": failed to do request: Head "http://localhost:5999/v2/nope/manifests/1": dial tcp 127.0.0.1:5999: connect: connection refused',
    unreachable: true,
  });
  expect(catalogue.pull(parse('nginx:does-not-exist'))).toMatchObject({
    error:
      'failed to pull and unpack image "docker.io/library/nginx:does-not-exist": failed to resolve reference "docker.io/library/nginx:does-not-exist": docker.io/library/nginx:does-not-exist: not found',
  });
  expect(catalogue.pull(parse('private/app:1'))).toMatchObject({ error: 'unauthorized' });
  expect(catalogue.pull(parse('nginx:1.27-alpine'))).toHaveProperty('definition');
});
