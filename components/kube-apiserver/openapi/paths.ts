import type { Resource, Subresource } from '../../../src/api/resource.ts';
import type { GroupVersionKind, OpenApiSchemas } from './schemas.ts';

type Operation = Record<string, unknown>;
type PathItem = Record<string, unknown>;

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const PATCH_TYPES = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];
const ANSWER_TYPES = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];
const STREAM_TYPES = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
const TYPES: Readonly<Record<string, string>> = {
  allowWatchBookmarks: 'boolean',
  force: 'boolean',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  limit: 'integer',
  orphanDependents: 'boolean',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};
const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
const LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];
const DELETE = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];
const COLLECTION = [
  'continue',
  'dryRun',
  'fieldSelector',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'labelSelector',
  'limit',
  'orphanDependents',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
];

/** One operation as it is told in v3. */
interface Told {
  readonly action: string;
  readonly id: string;
  readonly kind: GroupVersionKind;
  readonly parameters?: readonly string[];
  /** Definition of the body. */
  readonly body?: string | undefined;
  readonly bodyTypes?: readonly string[];
  readonly answer?: string | undefined;
  readonly answerTypes?: readonly string[];
  readonly codes?: readonly number[];
}

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** The operations of one resource, by path: apiserver pkg/endpoints.APIInstaller.registerResourceHandlers, as OpenAPI v3 */
export class ResourcePaths {
  readonly #resource: Resource;
  readonly #schemas: OpenApiSchemas;
  readonly #tag: string;
  readonly #prefix: string;

  constructor(resource: Resource, schemas: OpenApiSchemas) {
    const { group, version } = resource;
    this.#resource = resource;
    this.#schemas = schemas;
    const name = group ? group.replace(/\.k8s\.io$|\..*$/, '') : 'core';
    this.#tag = `${name}_${version}`;
    this.#prefix = `${capital(name)}${capital(version)}`;
  }

  paths(): Record<string, PathItem> {
    const { group, version, resource, namespaced, subresources, verbs } = this.#resource;
    const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
    const place = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${resource}`;
    const paths: Record<string, PathItem> = {};
    if (namespaced && verbs.includes('list')) paths[`${root}/${resource}`] = this.#item({ get: this.#list(true) }, []);
    const collection = this.#collection();
    if (Object.keys(collection).length > 0) paths[place] = this.#item(collection, namespaced ? ['namespace'] : []);
    const one = this.#one(this.#gvk(), '');
    const names = namespaced ? ['name', 'namespace'] : ['name'];
    if (Object.keys(one).length > 0) paths[`${place}/{name}`] = this.#item(one, names);
    for (const subresource of subresources)
      paths[`${place}/{name}/${subresource.name}`] = this.#item(this.#subresource(subresource), names);
    return paths;
  }

  #gvk(): GroupVersionKind {
    const { group, version, kind } = this.#resource;
    return { group, version, kind };
  }

  #scope(): string {
    return this.#resource.namespaced ? 'Namespaced' : '';
  }

  #list(everywhere: boolean): Operation {
    const { kind } = this.#resource;
    const name = everywhere ? `${kind}ForAllNamespaces` : `${this.#scope()}${kind}`;
    const answer = this.#schemas.nameOf({ ...this.#gvk(), kind: `${kind}List` });
    return this.#tell({
      action: 'list',
      id: `list${this.#prefix}${name}`,
      kind: this.#gvk(),
      parameters: LIST,
      answer,
      answerTypes: [...ANSWER_TYPES, ...STREAM_TYPES].sort(),
    });
  }

  #collection(): PathItem {
    const { kind, verbs } = this.#resource;
    const gvk = this.#gvk();
    const name = `${this.#scope()}${kind}`;
    const definition = this.#schemas.nameOf(gvk);
    const create: Told = {
      action: 'post',
      id: `create${this.#prefix}${name}`,
      kind: gvk,
      parameters: WRITE,
      body: definition,
      answer: definition,
      codes: [200, 201, 202],
    };
    const remove: Told = {
      action: 'deletecollection',
      id: `delete${this.#prefix}Collection${name}`,
      kind: gvk,
      parameters: COLLECTION,
      body: `${META}.DeleteOptions`,
      answer: `${META}.Status`,
    };
    return {
      ...(verbs.includes('list') ? { get: this.#list(false) } : {}),
      ...(verbs.includes('create') ? { post: this.#tell(create) } : {}),
      ...(verbs.includes('deletecollection') ? { delete: this.#tell(remove) } : {}),
    };
  }

  /** Reading, replacing, patching and deleting one object, or its subresource. */
  #one(gvk: GroupVersionKind, subresource: string, verbs: readonly string[] = this.#resource.verbs): PathItem {
    const name = `${this.#prefix}${this.#scope()}${this.#resource.kind}${capital(subresource)}`;
    const answer = this.#schemas.nameOf(gvk);
    const kind = gvk;
    const gone = { body: `${META}.DeleteOptions`, answer: `${META}.Status`, codes: [200, 202] };
    return {
      ...(verbs.includes('get') ? { get: this.#tell({ action: 'get', id: `read${name}`, kind, answer }) } : {}),
      ...(verbs.includes('update')
        ? { put: this.#tell({ action: 'put', id: `replace${name}`, kind, parameters: WRITE, body: answer, answer, codes: [200, 201] }) }
        : {}),
      ...(verbs.includes('create') && subresource
        ? {
            post: this.#tell({
              action: 'post',
              id: `create${name}`,
              kind,
              parameters: WRITE,
              body: answer,
              answer,
              codes: [200, 201, 202],
            }),
          }
        : {}),
      ...(verbs.includes('delete')
        ? { delete: this.#tell({ action: 'delete', id: `delete${name}`, kind, parameters: DELETE, ...gone }) }
        : {}),
      ...(verbs.includes('patch')
        ? {
            patch: this.#tell({
              action: 'patch',
              id: `patch${name}`,
              kind,
              parameters: [...WRITE, 'force'],
              body: `${META}.Patch`,
              bodyTypes: PATCH_TYPES,
              answer,
              codes: [200, 201],
            }),
          }
        : {}),
    };
  }

  #subresource({ name, kind, group, version, verbs }: Subresource): PathItem {
    const gvk = version ? { group, version, kind } : { ...this.#gvk(), kind };
    if (this.#schemas.nameOf(gvk) !== undefined) return this.#one(gvk, name, verbs);
    const methods = [...(verbs.includes('get') ? ['get'] : []), ...(verbs.includes('create') ? ['post'] : [])];
    return Object.fromEntries(
      methods.map((method) => [
        method,
        {
          tags: [this.#tag],
          operationId: `connect${this.#prefix}${capital(method)}${this.#scope()}${this.#resource.kind}${capital(name)}`,
          responses: { 200: { content: { '*/*': { schema: { type: 'string' } } } }, 401: {} },
          'x-kubernetes-action': 'connect',
          'x-kubernetes-group-version-kind': gvk,
        },
      ]),
    );
  }

  #tell({
    action,
    id,
    kind,
    parameters = [],
    body,
    bodyTypes = ['*/*'],
    answer,
    answerTypes = ANSWER_TYPES,
    codes = [200],
  }: Told): Operation {
    const content = answer === undefined ? {} : Object.fromEntries(answerTypes.map((type) => [type, { schema: ref(answer) }]));
    return {
      tags: [this.#tag],
      operationId: id,
      ...(parameters.length > 0 ? { parameters: parameters.map((name) => parameter(name, 'query')) } : {}),
      ...(body
        ? {
            requestBody: {
              content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: ref(body) }])),
              ...(action.startsWith('delete') ? {} : { required: true }),
            },
          }
        : {}),
      responses: { ...Object.fromEntries(codes.map((code) => [code, { content }])), 401: {} },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': kind,
    };
  }

  #item(operations: PathItem, inPath: readonly string[]): PathItem {
    return { ...operations, parameters: [...inPath.map((name) => parameter(name, 'path')), parameter('pretty', 'query')] };
  }
}

function parameter(name: string, place: 'path' | 'query'): object {
  return { name, in: place, ...(place === 'path' ? { required: true } : {}), schema: { type: TYPES[name] ?? 'string', uniqueItems: true } };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
