import { expect, it } from 'vitest';
import { podOf } from '../../../test/support/runtime-states.ts';
import { sysctlAllowlist } from './allowlist.ts';

const asking = (name: string, more: object = {}) => podOf({ securityContext: { sysctls: [{ name, value: '1' }] }, ...more });

it.each([
  ['net.ipv4.tcp_syncookies', {}, undefined],
  ['net/ipv4/tcp_syncookies', {}, undefined],
  ['kernel.msgmax', {}, 'forbidden sysctl: "kernel.msgmax" not allowlisted'],
  ['net.core.somaxconn', {}, undefined],
  ['net.ipv4.route.min_pmtu', {}, undefined],
  ['net.core.somaxconn', { hostNetwork: true }, 'forbidden sysctl: "net.core.somaxconn" not allowed with host net enabled'],
  ['kernel.shm_rmid_forced', { hostIPC: true }, 'forbidden sysctl: "kernel.shm_rmid_forced" not allowed with host ipc enabled'],
])('%s %j: %s', (name, more, message) => {
  const admit = sysctlAllowlist(['net.core.somaxconn', 'net.ipv4.route.*']);
  expect(admit(asking(name, more))).toEqual(message === undefined ? undefined : { reason: 'SysctlForbidden', message });
});
