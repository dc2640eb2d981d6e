import { AwsFailure } from './aws-failure.ts';

/** The parameters of an action: a form whose names say where a value belongs, e.g. `Filter.1.Value.2`. */
export class QueryParameters {
  readonly #values: ReadonlyMap<string, string>;
  readonly #prefix: string;

  constructor(values: ReadonlyMap<string, string>, prefix = '') {
    this.#values = values;
    this.#prefix = prefix;
  }

  get(name: string): string | undefined {
    return this.#values.get(this.#prefix + name);
  }

  number(name: string): number | undefined {
    const text = this.get(name);
    return text === undefined ? undefined : Number(text);
  }

  /** @throws AwsFailure as EC2 words it */
  required(name: string): string {
    const value = this.get(name);
    if (value === undefined || value === '') throw new AwsFailure('MissingParameter', `The request must contain the parameter ${name}`);
    return value;
  }

  /** The texts of a list, `Name.1` and so on, or `Name.member.1`. */
  texts(name: string): string[] {
    return this.#items(name).flatMap((prefix) => this.#values.get(prefix) ?? []);
  }

  /** The structures of a list. */
  structures(name: string): QueryParameters[] {
    return this.#items(name).map((prefix) => new QueryParameters(this.#values, `${prefix}.`));
  }

  /** A structure inside of this one. */
  structure(name: string): QueryParameters {
    return new QueryParameters(this.#values, `${this.#prefix}${name}.`);
  }

  #items(name: string): string[] {
    const found = [...this.#values.keys()].flatMap((key) => {
      for (const start of [`${this.#prefix}${name}.member.`, `${this.#prefix}${name}.`]) {
        const index = key.startsWith(start) ? key.slice(start.length).split('.')[0] : undefined;
        if (index !== undefined && /^\d+$/.test(index)) return [`${start}${index}`];
      }
      return [];
    });
    return [...new Set(found)];
  }
}
