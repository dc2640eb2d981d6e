import { type Comparison, compareValues } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import { mergeValues } from './merge.ts';
import { extractItems, removeItems } from './remove-items.ts';
import type { FieldType } from './schema.ts';
import { fieldSetOf } from './to-field-set.ts';
import { ValidationErrors, validateValue } from './validate.ts';

/** A JSON value that has the form that its type asks for. structured-merge-diff typed.TypedValue */
export class TypedValue {
  readonly value: unknown;
  readonly type: FieldType;

  private constructor(value: unknown, type: FieldType) {
    this.value = value;
    this.type = type;
  }

  /**
   * @param options.allowDuplicates whether associative lists may hold several items of one key, as objects may that were stored before
   * @throws ValidationErrors
   */
  static of(value: unknown, type: FieldType, options: { readonly allowDuplicates?: boolean } = {}): TypedValue {
    const errors = validateValue(value, type, options.allowDuplicates ?? false);
    if (errors.length > 0) throw new ValidationErrors(errors);
    return new TypedValue(value, type);
  }

  /** A value that is known to be sound. */
  static trusted(value: unknown, type: FieldType): TypedValue {
    return new TypedValue(value, type);
  }

  /** Every place that has a value. */
  toFieldSet(): FieldSet {
    return fieldSetOf(this.value, this.type);
  }

  /** What the other value, of the same type, adds, changes and leaves out. */
  compare(other: TypedValue): Comparison {
    return compareValues(this.value, other.value, this.type);
  }

  /** This value with what the other says: scalars and atomic lists and maps replaced, the rest merged. */
  merge(other: TypedValue): TypedValue {
    return new TypedValue(mergeValues(this.value, other.value, this.type), this.type);
  }

  /** The value without the places of a set. */
  removeItems(set: FieldSet): TypedValue {
    return new TypedValue(removeItems(this.value, set, this.type), this.type);
  }

  /** The value with nothing but the places of a set. */
  extractItems(set: FieldSet): TypedValue {
    return new TypedValue(extractItems(this.value, set, this.type), this.type);
  }
}
