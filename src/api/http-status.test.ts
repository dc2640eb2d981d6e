import { expect, it } from 'vitest';
import { statusText } from './http-status.ts';

it('knows the usual numbers', () => {
  expect([200, 404, 503, 599, undefined].map(statusText)).toEqual(['OK', 'Not Found', 'Service Unavailable', '', '']);
});
