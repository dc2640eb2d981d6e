/** An image name taken apart: github.com/distribution/reference. */
export interface ImageReference {
  /** e.g. `docker.io` */
  readonly domain: string;
  /** e.g. `library/nginx` */
  readonly path: string;
  readonly tag: string;
  readonly digest: string;
}

const PATH_COMPONENT = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const DOMAIN = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*(?::[0-9]+)?';
const REFERENCE = new RegExp(
  `^(${DOMAIN})/(${PATH_COMPONENT}(?:/${PATH_COMPONENT})*)(?::([\\w][\\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);

/**
 * distribution/reference ParseNormalizedNamed with TagNameOnly: the name with its default domain and tag.
 * @returns the reference, or what is wrong with the name
 */
export function parseImageReference(name: string): ImageReference | { readonly error: string } {
  if (/^[a-f0-9]{64}$/.test(name)) return { error: `invalid repository name (${name}), cannot specify 64-byte hexadecimal strings` };
  const { domain, rest } = splitDomain(name);
  const colon = rest.indexOf(':');
  const repository = rest.slice(
    0,
    rest.indexOf('@') >= 0 && (colon < 0 || rest.indexOf('@') < colon) ? rest.indexOf('@') : colon < 0 ? rest.length : colon,
  );
  if (repository.toLowerCase() !== repository)
    return { error: `invalid reference format: repository name (${repository}) must be lowercase` };
  const match = REFERENCE.exec(`${domain}/${rest}`);
  if (!match) return { error: 'invalid reference format' };
  const [, host = '', path = '', tag = '', digest = ''] = match;
  return { domain: host, path, tag: tag || (digest ? '' : 'latest'), digest };
}

/** distribution/reference splitDockerDomain */
function splitDomain(name: string): { domain: string; rest: string } {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const named = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  const domain = named ? first : 'docker.io';
  const rest = named ? name.slice(slash + 1) : name;
  const hub = domain === 'docker.io' || domain === 'index.docker.io';
  return { domain: hub ? 'docker.io' : domain, rest: hub && !rest.includes('/') ? `library/${rest}` : rest };
}

/** `docker.io/library/nginx` */
export function repositoryOf(reference: ImageReference): string {
  return `${reference.domain}/${reference.path}`;
}

/** `docker.io/library/nginx:1.27`, the digest included where there is one. */
export function formatImageReference(reference: ImageReference): string {
  return `${repositoryOf(reference)}${reference.tag ? `:${reference.tag}` : ''}${reference.digest ? `@${reference.digest}` : ''}`;
}
