import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

test('who impersonates nobody in particular is told all that was asked for', async () => {
  const headers = { 'impersonate-uid': 'u', 'impersonate-group': 'devs', 'impersonate-extra-reason': 'support' };
  const { code, body } = await new TestApiserver().send('GET /api/v1/pods', undefined, headers);
  const asked = ['{Group  devs    }', '{UserExtra  support  authentication.k8s.io/v1  reason}', '{UID  u  authentication.k8s.io/v1  }'];
  expect([code, body]).toEqual([
    500,
    `Internal Server Error: "/api/v1/pods": requested [${asked.join(' ')}] without impersonating a user\n`,
  ]);
});
