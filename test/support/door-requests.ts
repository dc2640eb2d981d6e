// Requests such as a hostile or broken sender makes, for fuzzing the door of kube-apiserver.
import fc from 'fast-check';
import { stringify } from 'yaml';
import { encodeProtobuf } from '../../src/api/protobuf/encode.ts';
import { BASES, PROTOTYPE_KEYS } from './door-bases.ts';

/** A request as data; `url` is path and query. */
export interface DoorRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
const polluting = fc.constantFrom(...PROTOTYPE_KEYS).map((key) => JSON.parse(`{"${key}":{"polluted":true}}`) as unknown);
const oddText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(...PROTOTYPE_KEYS, '\ud800', '\u0000', '-', '1e999', '9'.repeat(40)),
);
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  polluting,
  oddText,
  fc.constantFrom(
    null,
    true,
    {},
    [],
    [[]],
    [null],
    -1,
    1e21,
    0.5,
    2 ** 53,
    2 ** 31,
    { $patch: 'delete' },
    { $patch: 'replace' },
    { $patch: 'x' },
  ),
  fc.constantFrom(50, 1_000).map(nested),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Every place in a value. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function withValueAt(value: unknown, [key, ...rest]: readonly string[], change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? withValueAt(item, rest, change) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name, name === key ? withValueAt(inner, rest, change) : inner]),
  );
}

/** Also keys that an assignment would not make. */
const withKey = (value: unknown, key: string, added: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries([...Object.entries(value), [key, added]])
    : added;

const base = fc.constantFrom(...BASES);

/** An object with something wrong at one place of it. */
const oddObject = base.chain(({ path, object }) =>
  fc.record({
    path: fc.constant<string>(path),
    object: fc
      .tuple(
        fc.constantFrom(...placesIn(object)),
        oddValue,
        fc.option(
          fc.oneof(
            fc.constantFrom(
              ...PROTOTYPE_KEYS,
              '$patch',
              '$setElementOrder/containers',
              '$retainKeys',
              '$deleteFromPrimitiveList/finalizers',
            ),
            oddText,
          ),
        ),
      )
      .map(([place, value, key]) => withValueAt(object, place, (old) => (key === null ? value : withKey(old, key, value)))),
  }),
);

/** A text cut off, or with something put in. */
const damaged = (text: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(text) },
    { weight: 1, arbitrary: fc.nat(text.length).map((at) => text.slice(0, at)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.nat(text.length),
          fc.oneof(
            oddText,
            fc.constantFrom('{', '}', '[', '"', '\\', '\\ud800', ',', '&a ', '*a', '!!binary ', '<<: ', '\t', '---\n', '? '),
          ),
        )
        .map(([at, put]) => text.slice(0, at) + put + text.slice(at)),
    },
  );

const textOf = (value: unknown): string => JSON.stringify(value) ?? '';
const yamlOf = (value: unknown): string => stringify(value, { aliasDuplicateObjects: false });

function damagedBytes(bytes: Uint8Array<ArrayBuffer>): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
  const changed = fc.array(change, { maxLength: 4 }).map((changes) => {
    const copy = bytes.slice();
    for (const [at, value] of changes) copy[at] = value;
    return copy;
  });
  return fc.tuple(changed, fc.option(fc.nat(bytes.length))).map(([copy, end]) => (end === null ? copy : copy.slice(0, end)));
}

const write = fc.constantFrom('POST', 'PUT');
const at = (method: string, path: string): string => (method === 'POST' ? path : `${path}/a`);
const withType = (type: string): Record<string, string> => ({ 'content-type': type });

const jsonWrite = fc
  .tuple(write, oddObject)
  .chain(([method, { path, object }]) =>
    damaged(textOf(object)).map((body): DoorRequest => ({ method, url: at(method, path), headers: withType('application/json'), body })),
  );
const yamlWrite = fc
  .tuple(write, oddObject)
  .chain(([method, { path, object }]) =>
    damaged(yamlOf(object)).map((body): DoorRequest => ({ method, url: at(method, path), headers: withType('application/yaml'), body })),
  );
const bytesWrite = fc
  .tuple(write, base)
  .chain(([method, { path, object }]) =>
    fc
      .tuple(
        fc.constantFrom('application/vnd.kubernetes.protobuf', 'application/json', 'application/yaml', 'text/plain'),
        fc.oneof(
          { weight: 4, arbitrary: damagedBytes(encodeProtobuf(object)) },
          { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)) },
        ),
      )
      .map(([type, body]): DoorRequest => ({ method, url: at(method, path), headers: withType(type), body })),
  );

const pointer = fc.oneof(
  fc
    .array(
      fc.oneof(
        fc.constantFrom('metadata', 'labels', 'spec', 'data', 'containers', '0', '-', '-1', '~', '~2', '~01', ''),
        fc.constantFrom(...PROTOTYPE_KEYS),
        oddText,
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.map((part) => `/${part}`).join('')),
  base.chain(({ object }) => fc.constantFrom(...placesIn(object))).map((place) => place.map((part) => `/${part}`).join('')),
);
const operation = fc.record(
  {
    op: fc.oneof(fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), oddText),
    path: pointer,
    from: pointer,
    value: oddValue,
  },
  { requiredKeys: ['op', 'path'] },
);
const jsonPatch = fc
  .tuple(base, fc.array(operation, { maxLength: 4 }))
  .map(([{ path }, body]) => ({ path: path as string, object: body as unknown }));
const patchType = fc.constantFrom(
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/x',
);
const patch = fc
  .oneof(fc.tuple(patchType, oddObject), fc.tuple(fc.constant('application/json-patch+json'), jsonPatch))
  .chain(([type, { path, object }]) =>
    damaged(textOf(object)).map(
      (body): DoorRequest => ({
        method: 'PATCH',
        url: `${path}/a?fieldManager=fuzz${type.includes('apply') ? '&force=true' : ''}`,
        headers: withType(type),
        body,
      }),
    ),
  );

/** Writes with something wrong in their body. */
export const oddWrite: fc.Arbitrary<DoorRequest> = fc.oneof(jsonWrite, yamlWrite, bytesWrite, { weight: 2, arbitrary: patch });

const segment = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'api',
      'apis',
      'v1',
      'apps',
      'namespaces',
      'default',
      'pods',
      'deployments',
      'configmaps',
      'services',
      'nodes',
      'a',
      'status',
      'scale',
      'log',
      'exec',
      'attach',
      'portforward',
      'binding',
      'eviction',
      'token',
      'proxy',
      'watch',
      'finalize',
      'openapi',
      'v2',
      'v3',
      'healthz',
      'metrics',
      'version',
      'fuzz.example.com',
      'things',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...PROTOTYPE_KEYS) },
  { weight: 1, arbitrary: fc.constantFrom('', '%', '%00', '%2f', '%ff', '%C0%AF', '..', '%2e%2e', ';', 'ü', 'A'.repeat(300)) },
);
const known = fc.constantFrom(...BASES.map(({ path }) => path.slice(1)), ...BASES.map(({ path }) => `${path.slice(1)}/a`));
const path = fc.oneof(
  fc.array(segment, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`),
  fc.tuple(known, fc.array(segment, { maxLength: 2 })).map(([start, parts]) => `/${[start, ...parts].join('/')}`),
);
const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      'watch',
      'limit',
      'continue',
      'resourceVersion',
      'resourceVersionMatch',
      'labelSelector',
      'fieldSelector',
      'timeoutSeconds',
      'timeout',
      'sendInitialEvents',
      'allowWatchBookmarks',
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
      'pretty',
      'gracePeriodSeconds',
      'propagationPolicy',
      'includeObject',
      'tailLines',
      'container',
      'command',
    ),
    fc.constantFrom(...PROTOTYPE_KEYS),
  ),
  fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '1',
      'true',
      'All',
      '-1',
      '1s',
      '9'.repeat(30),
      'a=b',
      'a in (b',
      '!a',
      'metadata.name=a',
      'status.phase!=x',
      ',,',
      '=',
      '\\',
      'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0',
      'Exact',
      'NotOlderThan',
      'Strict',
    ),
    oddText,
  ),
);
const header = fc.tuple(
  fc.constantFrom(
    'accept',
    'content-type',
    'authorization',
    'user-agent',
    'audit-id',
    'impersonate-user',
    'impersonate-group',
    'impersonate-uid',
    'impersonate-extra-%',
    'impersonate-extra-%c3',
    'impersonate-extra-__proto__',
    'impersonate-extra-a',
    'if-none-match',
    'x-forwarded-for',
    'expect',
    'upgrade',
  ),
  fc.oneof(
    fc.constantFrom(
      '*/*',
      ';',
      ';;q=',
      'application/json;as=Table;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      'application/json;as=__proto__;g=;v=',
      'application/vnd.kubernetes.protobuf',
      'application/vnd.kubernetes.protobuf;stream=watch',
      'application/yaml',
      'application/cbor',
      'text/html',
      'Bearer',
      'Bearer a.b.c',
      'Bearer e30.e30.e30',
      'Basic Og==',
      'system:serviceaccount:a:b',
      'system:serviceaccount::',
      'curl/8',
    ),
    fc.string({ maxLength: 10, unit: fc.constantFrom(...'abc/;=,*"q. %\u00ff') }),
    fc.constantFrom(...PROTOTYPE_KEYS),
  ),
);

/** Requests with something odd about where they go and how. */
export const oddRequest: fc.Arbitrary<DoorRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'BREW'),
    path,
    query: fc.array(parameter, { maxLength: 3 }),
    headers: fc.array(header, { maxLength: 3 }),
    body: fc.constantFrom('', '{}', 'null', '[]', '{"kind":"DeleteOptions","apiVersion":"v1"}', '{"spec":{"replicas":2}}'),
  })
  .map(({ method, query, headers, body, ...about }) => ({
    method,
    url: about.path + (query.length > 0 ? `?${new URLSearchParams(query.map(([key, value]) => [key, value]))}` : ''),
    headers: Object.fromEntries(headers),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  }));
