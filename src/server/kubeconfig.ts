import { stringify } from 'yaml';
import type { KeyPair } from './certificate-authority.ts';

const NAME = 'bottleship';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The text of a kubeconfig: client-go tools/clientcmd/api/v1.Config */
export function kubeconfig(options: {
  readonly server: string;
  readonly authority: string;
  readonly user: string;
  readonly keys: KeyPair;
}): string {
  const { server, authority, user, keys } = options;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster: { 'certificate-authority-data': base64(authority), server } }],
    users: [{ name: user, user: { 'client-certificate-data': base64(keys.certificate), 'client-key-data': base64(keys.key) } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user } }],
    'current-context': NAME,
    preferences: {},
  });
}
