import type { CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { toBase64 } from './create-data.ts';

/** `kubectl create secret tls --cert=FILE --key=FILE` Differs: that the key belongs to the certificate is not checked. @throws KubectlError */
export function tlsData({ flags, files }: CommandContext): { data: Record<string, string> } {
  const read = (flag: 'cert' | 'key'): string => {
    const path = flags.string(flag);
    if (!path) throw new KubectlError(`error: ${flag} must be specified`);
    const text = files[path];
    if (text === undefined) throw new KubectlError(`error: open ${path}: no such file or directory`);
    return text;
  };
  const [cert, key] = [read('cert'), read('key')];
  for (const [text, what] of [
    [cert, 'certificate'],
    [key, 'key'],
  ] as const)
    if (!text.includes('-----BEGIN ')) throw new KubectlError(`error: tls: failed to find any PEM data in ${what} input`);
  return { data: { 'tls.crt': toBase64(cert), 'tls.key': toBase64(key) } };
}

const DOCKER_HUB = 'https://index.docker.io/v1/';

/** `kubectl create secret docker-registry --docker-username=USER --docker-password=PASSWORD` @throws KubectlError */
export function registryData({ flags }: CommandContext): { data: Record<string, string> } {
  const [username, password, email] = ['docker-username', 'docker-password', 'docker-email'].map((name) => flags.string(name) ?? '');
  if (!username || !password)
    throw new KubectlError(
      'error: either --from-file or the combination of --docker-username, --docker-password and --docker-server is required',
    );
  const server = flags.string('docker-server') ?? DOCKER_HUB;
  const entry = { username, password, ...(email ? { email } : {}), auth: toBase64(`${username}:${password}`) };
  return { data: { '.dockerconfigjson': toBase64(JSON.stringify({ auths: { [server]: entry } })) } };
}
