import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressible } from '../api/compressible-response.ts';
import { compressed } from './gzip.ts';

const LONG = 'a long text. '.repeat(20_000);

test('long answers are compressed for who takes gzip', async () => {
  const { headers, body } = await compressed(compressible(new Response(LONG, { headers: { vary: 'Accept' } })), 'deflate, gzip');
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'Accept, Accept-Encoding']);
  const bytes = Buffer.from(await new Response(body).arrayBuffer());
  expect(gunzipSync(bytes).toString()).toBe(LONG);
});

test('others are not', async () => {
  for (const answer of [
    compressed(compressible(new Response('short')), 'gzip'),
    compressed(compressible(new Response(LONG)), 'gzip;q=1.0'),
    compressed(compressible(new Response(LONG)), undefined),
    compressed(new Response(LONG), 'gzip'),
  ])
    expect((await answer).headers.has('content-encoding')).toBe(false);
  expect(await (await compressed(compressible(new Response('short')), 'gzip')).text()).toBe('short');
});
