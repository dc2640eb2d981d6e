import { formatImageReference, type ImageReference, parseImageReference, repositoryOf } from '../../src/api/image-reference.ts';
import type { ImageDefinition } from './image-definition.ts';

/** Tags as publishers of official images write them. */
const TAGS =
  /^(v?\d[\w.-]*|latest|stable[\w.-]*|mainline[\w.-]*|alpine[\w.-]*|edge|nightly|slim|bookworm|trixie|bullseye|jammy|noble|focal|glibc|musl|uclibc|lts[\w.-]*|current[\w.-]*|rolling|devel|perl)$/;

const official = (name: string, more: Omit<ImageDefinition, 'name'>): ImageDefinition => ({ name, known: true, tags: TAGS, ...more });

/** Programs that end with 0 when they are told to, as most servers do. */
const server = (program: string, more: Omit<ImageDefinition, 'name'>): Omit<ImageDefinition, 'name'> => ({
  programs: [program],
  stopCode: 0,
  stopMs: 20,
  ...more,
});

const NGINX_PAGE =
  '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n</head>\n<body>\n<h1>Welcome to nginx!</h1>\n</body>\n</html>\n';

/** Images that tutorials use. */
const CATALOGUE: readonly ImageDefinition[] = [
  official('busybox', { size: 2_167_176, command: ['sh'] }),
  official('alpine', { size: 3_626_897, command: ['/bin/sh'] }),
  official('debian', { size: 48_492_000, command: ['bash'] }),
  official('ubuntu', { size: 29_720_000, command: ['/bin/bash'] }),
  official('hello-world', {
    size: 20_450,
    entrypoint: ['/hello'],
    programs: ['/hello'],
    shell: false,
    exit: { afterMs: 5, code: 0 },
    logs: ['Hello from Docker!', 'This message shows that your installation appears to be working correctly.'],
  }),
  official('nginx', {
    size: 72_099_410,
    entrypoint: ['/docker-entrypoint.sh'],
    command: ['nginx', '-g', 'daemon off;'],
    files: { '/usr/share/nginx/html/index.html': NGINX_PAGE, '/etc/nginx/nginx.conf': 'user nginx;\n' },
    ...server('nginx', {
      ports: [80],
      http: { body: NGINX_PAGE },
      logs: ['/docker-entrypoint.sh: Configuration complete; ready for start up'],
    }),
  }),
  official('httpd', {
    size: 58_000_000,
    command: ['httpd-foreground'],
    ...server('httpd-foreground', { ports: [80], http: { body: '<html><body><h1>It works!</h1></body></html>\n' } }),
  }),
  official('redis', {
    size: 45_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['redis-server'],
    ...server('redis-server', {
      ports: [6379],
      protocol: 'tcp',
      healthCommands: ['redis-cli'],
      logs: ['* Ready to accept connections tcp'],
      startDelayMs: 50,
    }),
  }),
  official('postgres', {
    size: 158_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['postgres'],
    ...server('postgres', {
      ports: [5432],
      protocol: 'tcp',
      healthCommands: ['pg_isready', 'psql'],
      logs: ['LOG:  database system is ready to accept connections'],
      startDelayMs: 1500,
      stopMs: 200,
    }),
  }),
  ...['mysql', 'mariadb'].map((name) =>
    official(name, {
      size: 240_000_000,
      entrypoint: ['docker-entrypoint.sh'],
      command: [name === 'mysql' ? 'mysqld' : 'mariadbd'],
      ...server(name === 'mysql' ? 'mysqld' : 'mariadbd', {
        ports: [3306],
        protocol: 'tcp',
        healthCommands: ['mysqladmin', 'mysql', 'mariadb-admin', 'healthcheck.sh'],
        startDelayMs: 4000,
        stopMs: 800,
      }),
    }),
  ),
  official('mongo', {
    size: 250_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['mongod'],
    ...server('mongod', { ports: [27017], protocol: 'tcp', healthCommands: ['mongosh', 'mongo'], startDelayMs: 1000 }),
  }),
  official('memcached', {
    size: 32_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['memcached'],
    ...server('memcached', { ports: [11211], protocol: 'tcp' }),
  }),
  official('rabbitmq', {
    size: 100_000_000,
    entrypoint: ['docker-entrypoint.sh'],
    command: ['rabbitmq-server'],
    ...server('rabbitmq-server', {
      ports: [5672, 15672],
      protocol: 'tcp',
      healthCommands: ['rabbitmq-diagnostics', 'rabbitmqctl'],
      startDelayMs: 5000,
    }),
  }),
  official('traefik', {
    size: 50_000_000,
    entrypoint: ['/entrypoint.sh'],
    command: ['traefik'],
    ...server('traefik', { ports: [80, 443, 8080] }),
  }),
  official('python', { size: 380_000_000, command: ['python3'] }),
  official('node', { size: 400_000_000, entrypoint: ['docker-entrypoint.sh'], command: ['node'] }),
  official('perl', {
    size: 340_000_000,
    command: ['perl'],
    programs: ['perl'],
    exit: { afterMs: 4000, code: 0 },
    logs: ['3.14159265358979323846264338327950288419716939937510'],
  }),
  { name: 'nginxinc/nginx-unprivileged', size: 72_000_000, user: 101, programs: ['nginx'], command: ['nginx'], ports: [8080], stopCode: 0 },
  ...['polinux/stress', 'vish/stress'].map((name) => ({
    name,
    size: 4_000_000,
    known: true,
    entrypoint: name === 'vish/stress' ? ['/stress'] : [],
    command: ['stress'],
    programs: ['stress'],
  })),
  {
    name: 'registry.k8s.io/pause',
    size: 268_051,
    known: true,
    shell: false,
    entrypoint: ['/pause'],
    programs: ['/pause'],
    stopCode: 0,
    user: 65535,
  },
  {
    name: 'registry.k8s.io/echoserver',
    size: 40_000_000,
    programs: ['nginx'],
    command: ['nginx'],
    ports: [8080],
    stopCode: 0,
    known: true,
  },
  {
    name: 'registry.k8s.io/e2e-test-images/agnhost',
    size: 52_000_000,
    entrypoint: ['/agnhost'],
    command: ['pause'],
    programs: ['/agnhost'],
    ports: 'any',
    known: true,
  },
  { name: 'registry.k8s.io/busybox', size: 1_200_000, command: ['sh'], known: true },
  {
    name: 'registry.k8s.io/nginx-slim',
    size: 78_000_000,
    command: ['nginx', '-g', 'daemon off;'],
    known: true,
    ...server('nginx', { ports: [80], http: { body: NGINX_PAGE } }),
  },
  {
    name: 'registry.k8s.io/hpa-example',
    size: 180_000_000,
    command: ['apache2-foreground'],
    known: true,
    ...server('apache2-foreground', { ports: [80], http: { body: 'OK!' }, cpuPerRequestMs: 10 }),
  },
  {
    name: 'gcr.io/google-samples/hello-app',
    size: 12_000_000,
    ports: [8080],
    http: { body: 'Hello, world!\n' },
    stopCode: 0,
    shell: false,
  },
  {
    name: 'gcr.io/google-samples/kubernetes-bootcamp',
    size: 84_000_000,
    ports: [8080],
    http: { body: 'Hello Kubernetes bootcamp!\n' },
    stopCode: 0,
  },
  { name: 'us-docker.pkg.dev/google-samples/containers/gke/gb-frontend', size: 145_000_000, ports: [80], stopCode: 0 },
  {
    name: 'us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower',
    size: 40_000_000,
    ports: [6379],
    protocol: 'tcp',
    stopCode: 0,
  },
  { name: 'registry.k8s.io/redis', size: 40_000_000, ports: [6379], protocol: 'tcp', stopCode: 0 },
  {
    name: 'hashicorp/http-echo',
    size: 4_000_000,
    entrypoint: ['/http-echo'],
    programs: ['/http-echo'],
    ports: [5678],
    http: { body: 'hello-world\n' },
    stopCode: 0,
    shell: false,
    known: true,
  },
  {
    name: 'traefik/whoami',
    size: 2_800_000,
    entrypoint: ['/whoami'],
    programs: ['/whoami'],
    ports: [80],
    stopCode: 0,
    shell: false,
    known: true,
  },
  { name: 'curlimages/curl', size: 9_000_000, entrypoint: ['/entrypoint.sh'], command: ['curl'], known: true },
];

/** Whom an image that nobody described runs as: distroless' `nonroot`, so that a pod which asks for another user than root is not refused. */
const NON_ROOT = 65532;

/** Hosts at which nothing listens. */
const NOWHERE = /^(localhost|127\.0\.0\.1)(:(\d+))?$/;

/** What a pull of an image comes to. */
export type PullOutcome = { readonly definition: ImageDefinition } | { readonly error: string; readonly unreachable: boolean };

/** All images that exist in a simulated world: those declared, those of the catalogue, and any other. */
export class ImageCatalogue {
  readonly #byName = new Map<string, ImageDefinition>();

  constructor(declared: readonly ImageDefinition[] = []) {
    for (const image of [...CATALOGUE, ...declared]) this.#byName.set(canonicalName(image.name), image);
  }

  /** What is known of an image. An image that nobody described runs until stopped, and answers at every port. */
  find(reference: ImageReference): ImageDefinition {
    const exact = this.#byName.get(formatImageReference(reference));
    return (
      exact ??
      this.#byName.get(repositoryOf(reference)) ?? { name: formatImageReference(reference), ports: 'any', stopCode: 0, user: NON_ROOT }
    );
  }

  /** What the registry answers. */
  pull(reference: ImageReference): PullOutcome {
    const name = formatImageReference(reference);
    const definition = this.find(reference);
    if (definition.pull?.error) return { error: definition.pull.error, unreachable: false };
    const declared = this.#byName.has(name) || this.#byName.has(repositoryOf(reference));
    const nowhere = NOWHERE.exec(reference.domain);
    if (nowhere && !declared) {
      const port = nowhere[3] ?? '443';
      const url = `${nowhere[3] ? 'http' : 'https'}://${reference.domain}/v2/${reference.path}/manifests/${reference.digest || reference.tag}`;
      return refusedPull(reference, `failed to do request: Head "${url}": dial tcp 127.0.0.1:${port}: connect: connection refused`);
    }
    if (definition.tags && reference.tag && !definition.tags.test(reference.tag))
      return { ...refusedPull(reference, `${name}: not found`), unreachable: false };
    return { definition };
  }
}

/** A registry does not answer, or does not have the image. */
export function refusedPull(reference: ImageReference, error: string): Extract<PullOutcome, { error: string }> {
  const name = formatImageReference(reference);
  return { error: `failed to pull and unpack image "${name}": failed to resolve reference "${name}": ${error}`, unreachable: true };
}

/** `docker.io/library/nginx` or, with a tag, `docker.io/library/nginx:1.27`. */
function canonicalName(name: string): string {
  const reference = parseImageReference(name);
  if ('error' in reference) return name;
  const tagged = /:[^/]+$/.test(name) || name.includes('@');
  return tagged ? formatImageReference(reference) : repositoryOf(reference);
}
