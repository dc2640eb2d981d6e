/** Thrown by `exit`, `return`, `break` and `continue`, caught where they end. No errors: they carry no stack. */
export class ControlFlow {
  readonly type: 'exit' | 'return' | 'break' | 'continue';
  /** Status, or how many loops. */
  readonly value: number;

  constructor(type: ControlFlow['type'], value: number) {
    this.type = type;
    this.value = value;
  }
}
