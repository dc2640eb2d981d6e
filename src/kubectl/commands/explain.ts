import { apiVersionOf, type Resource } from '../../api/resource.ts';
import type { Command, CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { resourceFor } from '../rest-mapper.ts';

/** What is needed of an OpenAPI v3 schema. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

interface Document {
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema & { readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[] }>>;
  };
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** kubectl explain TYPE[.FIELD…]: what the OpenAPI document of the server says of it. */
export const explain: Command = {
  flags: { recursive: { type: 'boolean' }, 'api-version': { type: 'string' }, output: { type: 'string' } },
  async run(context) {
    const [path, ...more] = context.args;
    if (path === undefined)
      throw new KubectlError(
        'error: You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.',
      );
    if (more.length) throw new KubectlError('error: We accept only this format: explain RESOURCE');
    const output = context.flags.string('output') ?? 'plaintext';
    if (output !== 'plaintext') throw new KubectlError(`error: explain --output=${output} is not offered here; plaintext is`);
    const [type = '', ...fields] = path.split('.');
    const resource = await resourceOf(context, type);
    const version = resource.group ? `apis/${resource.group}/${resource.version}` : `api/${resource.version}`;
    const document = JSON.parse(await context.raw('GET', `/openapi/v3/${version}`)) as Document;
    const types = document.components?.schemas ?? {};
    const root = Object.values(types).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some(({ group, kind }) => group === resource.group && kind === resource.kind),
    );
    if (!root) throw new KubectlError(`error: couldn't find resource for "${apiVersionOf(resource)}, Kind=${resource.kind}"`);
    new Explanation(context, types).print(resource, { root, fields });
  },
};

async function resourceOf({ client, flags }: CommandContext, type: string): Promise<Resource> {
  const wanted = flags.string('api-version');
  const found = await resourceFor(client, type).catch((error: unknown) => {
    throw error instanceof KubectlError ? new KubectlError(error.message.replace(/^error: /, '')) : error;
  });
  if (wanted === undefined || wanted === apiVersionOf(found)) return found;
  const [version, group = ''] = wanted.split('/').reverse();
  try {
    return await resourceFor(client, [found.resource, version, ...(group ? [group] : [])].join('.'));
  } catch {
    throw new KubectlError(`error: couldn't find resource for "${group}/${version}, Resource=${found.resource}"`);
  }
}

const NOTHING = '<empty>';
const NOTHING_OF_A_FIELD = '<no description>';
const INDENT = '  ';

const shownValue = (value: string): string => (value === '' ? '""' : value);

const SHOWN_VALUES = 4;

/** The first few. */
function enumText(values: readonly string[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map(shownValue).join(', ');
  return values.length > SHOWN_VALUES ? `${shown}, ....` : shown;
}

/** Writes the answer: kubectl pkg/explain/v2 templates/plaintext.tmpl */
class Explanation {
  readonly #context: CommandContext;
  readonly #types: Readonly<Record<string, Schema>>;

  constructor(context: CommandContext, types: Readonly<Record<string, Schema>>) {
    this.#context = context;
    this.#types = types;
  }

  print({ group, kind, version }: Resource, { root, fields }: { root: Schema; fields: readonly string[] }): void {
    const { out } = this.#context;
    if (group) out(`GROUP:      ${group}`);
    out(`KIND:       ${kind}`);
    out(`VERSION:    ${version}`);
    out('');
    let schema = root;
    let field: Schema | undefined;
    for (const name of fields) {
      field = this.#fieldsOf(schema)[name];
      if (!field) throw new KubectlError(`error: field "${name}" does not exist`);
      schema = this.#insideOf(field);
    }
    const name = fields.at(-1);
    if (field && name) {
      out(`FIELD: ${name} <${this.#typeOf(field)}>`);
      if (field.enum) for (const value of ['ENUM:', ...field.enum.map((each) => `    ${shownValue(each)}`)]) out(value);
      else out('');
      out('');
    }
    out('DESCRIPTION:');
    for (const line of (field?.description ?? schema.description ?? NOTHING).split('\n')) out(`    ${line}`);
    if (Object.keys(this.#fieldsOf(schema)).length) {
      out('FIELDS:');
      this.#printFields(schema, 1, []);
    }
    out('');
  }

  #printFields(schema: Schema, level: number, above: readonly Schema[]): void {
    const { flags, out } = this.#context;
    const indent = INDENT.repeat(level);
    const recursive = flags.boolean('recursive');
    for (const [name, field] of Object.entries(this.#fieldsOf(schema)).sort(([a], [b]) => (a < b ? -1 : 1))) {
      out(`${indent}${name}\t<${this.#typeOf(field)}>${schema.required?.includes(name) ? ' -required-' : ''}`);
      if (field.enum) out(`${indent}enum: ${enumText(field.enum)}`);
      const inside = this.#insideOf(field);
      // A type that holds itself is not gone into again.
      if (recursive && !above.includes(inside)) this.#printFields(inside, level + 1, [...above, inside]);
      if (recursive) continue;
      for (const line of (field.description ?? NOTHING_OF_A_FIELD).split('\n')) out(`${indent}${INDENT}${line}`);
      out('');
    }
  }

  #named(schema: Schema): { name: string | undefined; schema: Schema } {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
    const name = reference?.split('/').at(-1);
    return { name, schema: name === undefined ? schema : (this.#types[name] ?? schema) };
  }

  /** The object that a field leads to, through lists and maps. */
  #insideOf(field: Schema): Schema {
    const { schema } = this.#named(field);
    const inner = schema.items ?? schema.additionalProperties;
    return inner ? this.#insideOf(inner) : schema;
  }

  #fieldsOf(schema: Schema): Readonly<Record<string, Schema>> {
    return schema.properties ?? {};
  }

  /** `[]Container`, `map[string]string`, `IntOrString` */
  #typeOf(field: Schema): string {
    const { name, schema } = this.#named(field);
    if (schema.items) return `[]${this.#typeOf(schema.items)}`;
    if (schema.additionalProperties) return `map[string]${this.#typeOf(schema.additionalProperties)}`;
    if (
      name !== undefined &&
      (schema.properties || schema.type === 'object' || !schema.type || schema.oneOf || schema.format === 'int-or-string')
    )
      return name.split('.').at(-1) ?? '';
    return schema.type === 'object' || schema.type === undefined ? 'Object' : schema.type;
  }
}
