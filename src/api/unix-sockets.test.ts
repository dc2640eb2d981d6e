import { expect, it } from 'vitest';
import { UnixSockets } from './unix-sockets.ts';

it('tells of sockets when they are made, until nobody wants to know', () => {
  const sockets = new UnixSockets<string>();
  const seen: string[] = [];
  const end = sockets.watch('/run/a.sock', () => seen.push(sockets.at('/run/a.sock')?.process ?? ''));
  sockets.listen('/run/b.sock', { process: 'other', service: {} });
  sockets.listen('/run/a.sock', { process: 'first', service: {} });
  sockets.listen('/run/a.sock', { process: 'second', service: {} });
  end();
  sockets.listen('/run/a.sock', { process: 'third', service: {} });
  expect(seen).toEqual(['first', 'second']);
  sockets.clear('/run/');
  expect(sockets.at('/run/a.sock')).toBeUndefined();
});
