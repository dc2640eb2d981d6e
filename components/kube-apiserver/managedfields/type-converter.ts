import { decode } from '../../../src/api/decode.ts';
import { encodeObject } from '../../../src/api/encode.ts';
import { deepFreeze } from '../../../src/api/freeze.ts';
import { parseGroupVersion } from '../../../src/api/meta.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import { schemaOfKind } from '../../../src/api/schema.ts';
import { typeOfKind } from '../../../src/api/structured-merge-diff/built-in-schema.ts';
import { type FieldType, UNTYPED_DEDUCED } from '../../../src/api/structured-merge-diff/schema.ts';
import { typeOfCustomResource } from '../../../src/api/structured-merge-diff/structural-schema.ts';
import { TypedValue } from '../../../src/api/structured-merge-diff/typed-value.ts';
import type { CustomResourceVersion } from '../apiextensions/custom-resource-version.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { ServerCore } from '../server-core.ts';
import { conversionOf } from '../storage/conversion.ts';

/**
 * The objects of a resource as typed values, in every version that is served.
 * apimachinery pkg/util/managedfields.TypeConverter and internal.versionConverter
 */
export class TypeConverter {
  readonly #server: ServerCore;
  readonly #resource: Resource;
  #empty: KubernetesObject | undefined;

  constructor(server: ServerCore, resource: Resource) {
    this.#server = server;
    this.#resource = resource;
  }

  /** @throws ValidationErrors */
  toTyped(object: KubernetesObject, options?: { readonly allowDuplicates?: boolean }): TypedValue {
    return TypedValue.of(encodeObject(object), this.#typeOf(this.#resource), options);
  }

  /** Whether the schema can be another one tomorrow. */
  get schemasChange(): boolean {
    return customResourceVersionOf(this.#resource) !== undefined;
  }

  /** Whether a webhook may have to be asked for other versions, which only a request can wait for. */
  get asksWebhook(): boolean {
    return customResourceVersionOf(this.#resource)?.definition.spec.conversion?.strategy === 'Webhook';
  }

  /** An object that was decoded, as it is. */
  trusted(object: KubernetesObject): TypedValue {
    return TypedValue.trusted(object, this.#typeOf(this.#resource));
  }

  /** A body as it came. @throws ValidationErrors */
  toTypedConfig(config: Record<string, unknown>): TypedValue {
    return TypedValue.of(config, this.#typeOf(this.#resource));
  }

  /** The same object in another version; undefined when that is not served. */
  convert(value: TypedValue, apiVersion: string): TypedValue | undefined {
    const object = value.value as KubernetesObject;
    if (object.apiVersion === apiVersion) return value;
    const from = this.#served(object.apiVersion ?? '');
    const to = this.#served(apiVersion);
    if (!from || !to) return undefined;
    const stored = conversionOf(from)?.toStorage(object) ?? object;
    const converted = conversionOf(to)?.fromStorage(stored) ?? { ...stored, apiVersion };
    return TypedValue.trusted(encodeObject(converted), this.#typeOf(to));
  }

  /** A stored object in the version of the endpoint. */
  fromStorage(object: KubernetesObject): KubernetesObject {
    return conversionOf(this.#resource)?.fromStorage(object) ?? object;
  }

  /** What Go makes of a kind without being told anything: structs are there, and what must be written. */
  emptyObject(): KubernetesObject {
    this.#empty ??= emptyObjectOf(this.#resource);
    return this.#empty;
  }

  #served(apiVersion: string): Resource | undefined {
    const { group, version } = parseGroupVersion(apiVersion);
    return this.#server.resource({ group, version, resource: this.#resource.resource });
  }

  #typeOf(resource: Resource): FieldType {
    const custom = customResourceVersionOf(resource);
    return (custom ? typeOfCustomVersion(custom) : typeOfKind(apiVersionOf(resource), resource.kind)) ?? UNTYPED_DEDUCED;
  }
}

const customTypes = new WeakMap<CustomResourceVersion, FieldType>();

function typeOfCustomVersion(version: CustomResourceVersion): FieldType {
  let type = customTypes.get(version);
  if (!type) {
    type = typeOfCustomResource(version.version.schema?.openAPIV3Schema);
    customTypes.set(version, type);
  }
  return type;
}

function emptyObjectOf(resource: Resource): KubernetesObject {
  const { kind } = resource;
  const apiVersion = apiVersionOf(resource);
  const schema = schemaOfKind(apiVersion, kind);
  const object = schema ? { ...decode<KubernetesObject>({}, schema).object, apiVersion, kind } : { apiVersion, kind, metadata: {} };
  return deepFreeze(object);
}
