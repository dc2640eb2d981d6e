import type { Command } from './ast.ts';

/** Variables and the like of one shell; a subshell has a copy. */
export class ShellState {
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly functions: Map<string, Command>;
  parameters: readonly string[];
  name: string;
  workingDir: string;
  lastStatus = 0;
  lastBackground = '';
  errexit = false;
  nounset = false;
  xtrace = false;

  constructor(from: {
    variables: Map<string, string>;
    exported: Set<string>;
    functions?: Map<string, Command>;
    parameters?: readonly string[];
    name: string;
    workingDir: string;
  }) {
    this.variables = from.variables;
    this.exported = from.exported;
    this.functions = from.functions ?? new Map();
    this.parameters = from.parameters ?? [];
    this.name = from.name;
    this.workingDir = from.workingDir;
  }

  copy(): ShellState {
    const copy = new ShellState({
      variables: new Map(this.variables),
      exported: new Set(this.exported),
      functions: new Map(this.functions),
      parameters: this.parameters,
      name: this.name,
      workingDir: this.workingDir,
    });
    copy.lastStatus = this.lastStatus;
    copy.lastBackground = this.lastBackground;
    copy.errexit = this.errexit;
    copy.nounset = this.nounset;
    return copy;
  }

  /** What commands get. */
  environment(): Map<string, string> {
    return new Map([...this.variables].filter(([name]) => this.exported.has(name)));
  }

  /** A path as the file system has it. */
  path(path: string): string {
    return path.startsWith('/') ? path : `${this.workingDir}/${path}`;
  }
}
