import { bytesToBase64 } from '../../../src/api/base64.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../../src/api/kinds/apiextensions-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource, Subresource } from '../../../src/api/resource.ts';
import { sha256 } from '../../../src/api/sha256.ts';
import type { Conversion } from '../storage/conversion.ts';
import { type TableColumns, tableColumns } from './columns.ts';
import { convertedByWebhook } from './conversion-webhook.ts';
import { findByPath, parseJsonPath } from './json-path.ts';
import { applyDefaults, hasDefaults, withoutForbiddenNulls } from './schema/defaulting.ts';
import { coerceEmbedded, coerceMetadata, type MetadataFindings } from './schema/embedded-metadata.ts';
import { prune } from './schema/pruning.ts';
import { isJsonObject, type Schema } from './schema/structural-schema.ts';
import { setVersionOf } from './version-of.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

/** A body, read as a version of a custom resource. */
export interface DecodedCustomResource {
  readonly object: KubernetesObject;
  /** `unknown field "spec.x"` */
  readonly problems: readonly string[];
  readonly error: string | undefined;
}

/** One served version of a custom resource: how it is read, kept and shown. apiextensions-apiserver pkg/apiserver.crdInfo, for one version */
export class CustomResourceVersion {
  readonly definition: CustomResourceDefinition;
  readonly version: CustomResourceDefinitionVersion;
  readonly schema: Schema;
  readonly resource: Resource;
  readonly columns: TableColumns;
  readonly deprecationWarning: string | undefined;
  /** Between this version and the stored one. */
  readonly conversion: Conversion;
  /** Whether the schema has rules in the Common Expression Language. */
  readonly hasRules: boolean;
  /** Labels for field selectors. */
  readonly selectableFields: Readonly<Record<string, (object: KubernetesObject) => string>>;

  constructor(definition: CustomResourceDefinition, version: CustomResourceDefinitionVersion) {
    this.definition = definition;
    this.version = version;
    this.schema = version.schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    this.hasRules = hasRules(this.schema);
    this.resource = resourceOf(definition, version);
    setVersionOf(this.resource, this);
    this.columns = tableColumns(version.additionalPrinterColumns);
    this.deprecationWarning = deprecationWarning(definition, version);
    this.conversion = conversionTo(definition, this);
    this.selectableFields = Object.fromEntries(
      (version.selectableFields ?? []).map(({ jsonPath }) => [jsonPath.replace(/^\./, ''), reader(jsonPath)]),
    );
  }

  get apiVersion(): string {
    return `${this.resource.group}/${this.resource.version}`;
  }

  /** Whether status changes through its subresource only. */
  get hasStatus(): boolean {
    return this.version.subresources?.status !== undefined;
  }

  /** Changes when objects are stored in another version. apiserver pkg/endpoints/discovery.StorageVersionHash */
  get storageVersionHash(): string {
    const { group, versions, names } = this.definition.spec;
    const stored = versions.find(({ storage }) => storage)?.name ?? this.version.name;
    const words = sha256(`${group}/${stored}/${names.kind}`).slice(0, 2);
    return bytesToBase64(Uint8Array.from(words.flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff))));
  }

  /** Reads a body: unknown fields out, defaults in, nulls out where none may be. */
  decode(value: unknown): DecodedCustomResource {
    const findings: MetadataFindings = { unknownPaths: [] };
    const given = value as KubernetesObject;
    const unknown: string[] = [];
    const pruned = prune(given, this.schema, unknown) as KubernetesObject;
    const metadata = coerceMetadata(given.metadata ?? {}, 'metadata', findings);
    const coerced = coerceEmbedded(pruned, this.schema, { path: '', findings }) as KubernetesObject;
    const object = withoutForbiddenNulls(applyDefaults({ ...coerced, metadata }, this.schema), this.schema) as KubernetesObject;
    const problems = [...unknown, ...findings.unknownPaths].sort().map((path) => `unknown field "${path}"`);
    return { object, problems, error: findings.error };
  }

  /** An object on its way to storage as this version has it: what a version demands of objects is said about objects in that version. */
  asWritten(object: KubernetesObject): KubernetesObject {
    if (object.apiVersion === this.apiVersion || this.definition.spec.conversion?.strategy !== 'Webhook') return object;
    return this.conversion.fromStorage(object);
  }

  /** A stored object as this version shows it. */
  fromStorage(stored: KubernetesObject): KubernetesObject {
    return this.conversion.fromStorage(stored);
  }
}

function hasRules(schema: Schema): boolean {
  if (schema['x-kubernetes-validations']?.length) return true;
  const { properties, items, additionalProperties } = schema;
  return [...Object.values(properties ?? {}), items, additionalProperties].some(
    (child) => isJsonObject(child) && hasRules(child as Schema),
  );
}

function reader(jsonPath: string): (object: KubernetesObject) => string {
  const steps = parseJsonPath(jsonPath) ?? [];
  return (object) => {
    const [value] = findByPath(object, steps);
    return value === undefined || value === null ? '' : String(value);
  };
}

/** Every served version reads what is stored: defaults of the stored version in, then what this version does not know out. */
function conversionTo(definition: CustomResourceDefinition, target: CustomResourceVersion): Conversion {
  const storage = definition.spec.versions.find((version) => version.storage) ?? target.version;
  const stored = storage.schema?.openAPIV3Schema;
  const same = storage.name === target.version.name;
  const storedVersion = `${definition.spec.group}/${storage.name}`;
  const defaulted = stored !== undefined && hasDefaults(stored);
  if (definition.spec.conversion?.strategy === 'Webhook' && !same) {
    return {
      toStorage: (object) => {
        const converted = convertedByWebhook(definition, object, storedVersion);
        return (stored ? prune(converted, stored, []) : converted) as KubernetesObject;
      },
      fromStorage: (object) => {
        const read = (defaulted ? applyDefaults(object, stored) : object) as KubernetesObject;
        return prune(convertedByWebhook(definition, read, target.apiVersion), target.schema, []) as KubernetesObject;
      },
    };
  }
  return {
    toStorage: (object) => (object.apiVersion === storedVersion ? object : { ...object, apiVersion: storedVersion }),
    fromStorage: (object) => {
      const read = (defaulted ? applyDefaults(object, stored) : object) as KubernetesObject;
      if (same) return read.apiVersion === target.apiVersion ? read : { ...read, apiVersion: target.apiVersion };
      return prune({ ...read, apiVersion: target.apiVersion }, target.schema, []) as KubernetesObject;
    },
  };
}

function resourceOf(
  { spec, status }: CustomResourceDefinition,
  { name: version, subresources }: CustomResourceDefinitionVersion,
): Resource {
  const names = { ...spec.names, ...status?.acceptedNames };
  const { plural, singular = '', kind, shortNames = [], categories = [] } = names;
  const status_: Subresource = { name: 'status', verbs: SUBRESOURCE_VERBS, kind, group: '', version: '' };
  const scale: Subresource = { name: 'scale', verbs: SUBRESOURCE_VERBS, kind: 'Scale', group: 'autoscaling', version: 'v1' };
  return {
    group: spec.group,
    version,
    resource: plural,
    singular,
    kind,
    namespaced: spec.scope === 'Namespaced',
    verbs: VERBS,
    shortNames,
    categories,
    subresources: [...(subresources?.status ? [status_] : []), ...(subresources?.scale ? [scale] : [])],
  };
}

/** What every answer of a deprecated version warns of. apiextensions-apiserver pkg/apiserver.getOrCreateServingInfoFor */
function deprecationWarning({ spec }: CustomResourceDefinition, version: CustomResourceDefinitionVersion): string | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { kind } = spec.names;
  const base = `${spec.group}/${version.name} ${kind} is deprecated`;
  const better = spec.versions.filter(({ served, deprecated }) => served && !deprecated).sort((a, b) => compareVersions(a.name, b.name))[0];
  return better && compareVersions(better.name, version.name) < 0 ? `${base}; use ${spec.group}/${better.name} ${kind}` : base;
}

/** apimachinery pkg/version.CompareKubeAwareVersionStrings: GA before beta before alpha, higher numbers first; others after them, by name. */
export function compareVersions(a: string, b: string): number {
  const rank = (version: string): number[] | undefined => {
    const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
    if (!match) return undefined;
    return [match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0, Number(match[1]), Number(match[3] ?? 0)];
  };
  const left = rank(a);
  const right = rank(b);
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return (right[index] ?? 0) - (left[index] ?? 0);
  return 0;
}
