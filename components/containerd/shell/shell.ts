import type { AndOr, Command, List, Pipeline } from './ast.ts';
import { literalOf } from './ast.ts';
import { BUILTINS } from './builtins.ts';
import { ControlFlow } from './control-flow.ts';
import { type ExpandParts, expandToPattern, expandToText, expandWords } from './expand.ts';
import { Input, type Io } from './io.ts';
import { isAlwaysTrue, parseScript } from './parser.ts';
import { patternToExpression } from './pattern.ts';
import { redirect } from './redirect.ts';
import { ShellError } from './shell-error.ts';
import type { ShellState } from './shell-state.ts';
import { sleepMilliseconds } from './sleep-duration.ts';
import { Task } from './task.ts';

/** Turns of a loop after which it is taken for one that waits for others: its sleeps are background from then on. */
const PATIENT_TURNS = 60;
/** Commands in a row that take no time, before some passes after all. */
const COMMANDS_AT_ONCE = 2_000;

type Loop = Extract<Command, { type: 'while' | 'until' }>;

/** A POSIX shell in virtual time: runs parsed commands in one task. */
export class Shell {
  readonly task: Task;
  readonly state: ShellState;
  #conditionDepth = 0;
  #inTrap = false;
  #commands = 0;

  constructor(task: Task, state: ShellState) {
    this.task = task;
    this.state = state;
  }

  /** Runs a whole program and what is set for its end; resolves with the shell's status. */
  async run(list: List, io: Io): Promise<number> {
    let status = 0;
    try {
      status = await this.runList(list, io);
    } catch (error) {
      status = this.#statusOf(error, io);
    }
    return this.#runExitTrap(io, status);
  }

  async runList(list: List, io: Io): Promise<number> {
    for (const { andOr, background } of list) {
      if (background) this.#runInBackground(andOr, io);
      else this.state.lastStatus = await this.#runAndOr(andOr, io);
    }
    return this.state.lastStatus;
  }

  /** Runs a command line that is already split: a function, a builtin or a command. */
  async runArgv(argv: readonly string[], io: Io): Promise<number> {
    const [name = ''] = argv;
    const definition = this.state.functions.get(name);
    if (definition) return this.#callFunction(definition, argv, io);
    const builtin = BUILTINS.get(name);
    if (builtin) return builtin({ shell: this, argv, io });
    return this.task.world.externals.run({ task: this.task, state: this.state, argv, io });
  }

  /** What the shell does with signals that came while a command ran. */
  async deliverTraps(io: Io): Promise<void> {
    while (!this.#inTrap && this.task.pending.length > 0) {
      const signal = this.task.pending.shift();
      const action = signal ? this.task.traps.get(signal) : undefined;
      if (!action) continue;
      this.#inTrap = true;
      const { lastStatus } = this.state;
      try {
        await this.runList(parseScript(action), io);
      } finally {
        this.#inTrap = false;
      }
      this.state.lastStatus = lastStatus;
    }
  }

  /** A shell of its own in a new task, as `( … )` and `&` make. */
  fork(): Shell {
    return new Shell(new Task(this.task.world, this.task), this.state.copy());
  }

  #statusOf(error: unknown, io: Io): number {
    if (error instanceof ControlFlow) return error.type === 'exit' || error.type === 'return' ? error.value : 0;
    if (!(error instanceof ShellError)) throw error;
    io.stderr(`${this.state.name}: ${error.message}\n`);
    return error.status;
  }

  async #runExitTrap(io: Io, status: number): Promise<number> {
    const action = this.exitTrap;
    this.exitTrap = undefined;
    if (!action) return status;
    try {
      await this.runList(parseScript(action), io);
    } catch (error) {
      if (error instanceof ControlFlow && error.type === 'exit') return error.value;
      return this.#statusOf(error, io);
    }
    return status;
  }

  /** `trap … EXIT` */
  exitTrap: string | undefined;

  #runInBackground(andOr: AndOr, io: Io): void {
    const child = this.fork();
    this.state.lastBackground = String(child.task.pid);
    this.state.lastStatus = 0;
    const body = async (): Promise<void> => {
      const status = await child.run([{ andOr, background: false }], { ...io, stdin: new Input() });
      if (child.task.alive) child.task.end(status);
    };
    this.task.world.context.actor.schedule(0, body);
  }

  async #runAndOr({ first, rest }: AndOr, io: Io): Promise<number> {
    if (rest.length > 0) this.#conditionDepth++;
    let status = 0;
    try {
      status = await this.#runPipeline(first, io);
    } finally {
      if (rest.length > 0) this.#conditionDepth--;
    }
    for (const [index, { operator, pipeline }] of rest.entries()) {
      if ((operator === '&&') !== (status === 0)) continue;
      const last = index === rest.length - 1;
      if (!last) this.#conditionDepth++;
      try {
        status = await this.#runPipeline(pipeline, io);
      } finally {
        if (!last) this.#conditionDepth--;
      }
      if (last) return status;
    }
    if (rest.length === 0 && status !== 0 && this.state.errexit && this.#conditionDepth === 0 && !first.negated)
      throw new ControlFlow('exit', status);
    return status;
  }

  /** The commands of a pipeline run one after another: each gets all that the one before it wrote. */
  async #runPipeline({ commands, negated }: Pipeline, io: Io): Promise<number> {
    let status = 0;
    let { stdin } = io;
    for (const [index, command] of commands.entries()) {
      const last = index === commands.length - 1;
      let written = '';
      const stdout = last
        ? io.stdout
        : (text: string): void => {
            written += text;
          };
      const shell = commands.length > 1 ? new Shell(this.task, this.state.copy()) : this;
      status = await shell.#runCommand(command, { stdin, stdout, stderr: io.stderr });
      stdin = new Input(written);
    }
    this.state.lastStatus = negated ? (status === 0 ? 1 : 0) : status;
    return this.state.lastStatus;
  }

  async #runCommand(command: Command, outer: Io): Promise<number> {
    if (++this.#commands % COMMANDS_AT_ONCE === 0) await this.task.compute(1);
    if (!this.task.alive) await this.task.forever();
    let io = outer;
    if (command.redirects.length > 0) {
      const redirected = await redirect(
        { task: this.task, state: this.state, expand: (word) => expandToText(this.#expandParts(outer), word) },
        command.redirects,
        outer,
      );
      if (typeof redirected === 'number') return redirected;
      io = redirected;
    }
    const status = await this.#dispatch(command, io);
    if (!this.task.alive) await this.task.forever();
    if (this.task.pending.length > 0) await this.deliverTraps(io);
    return status;
  }

  async #dispatch(command: Command, io: Io): Promise<number> {
    switch (command.type) {
      case 'simple':
        return this.#runSimple(command, io);
      case 'group':
        return this.runList(command.body, io);
      case 'subshell':
        return this.#runSubshell(command.body, io);
      case 'if':
        return this.#runIf(command, io);
      case 'while':
      case 'until':
        return this.#runLoop(command, io);
      case 'for':
        return this.#runFor(command, io);
      case 'case':
        return this.#runCase(command, io);
      case 'function':
        this.state.functions.set(command.name, command.body);
        return 0;
    }
  }

  async #runSimple({ assignments, words }: Extract<Command, { type: 'simple' }>, io: Io): Promise<number> {
    const parts = this.#expandParts(io);
    const argv = await expandWords(parts, words);
    const saved = new Map<string, string | undefined>();
    for (const { name, value } of assignments) {
      if (argv.length > 0) saved.set(name, this.state.variables.get(name));
      this.state.variables.set(name, await expandToText(parts, value));
    }
    if (argv.length === 0)
      return assignments.some(({ value }) => value.parts.some(({ type }) => type === 'command')) ? this.state.lastStatus : 0;
    const added = [...saved.keys()].filter((name) => !this.state.exported.has(name));
    for (const name of added) this.state.exported.add(name);
    try {
      return await this.runArgv(argv, io);
    } finally {
      for (const name of added) this.state.exported.delete(name);
      for (const [name, value] of saved) {
        if (value === undefined) this.state.variables.delete(name);
        else this.state.variables.set(name, value);
      }
    }
  }

  async #runSubshell(body: List, io: Io): Promise<number> {
    const child = new Shell(this.task, this.state.copy());
    child.#conditionDepth = this.#conditionDepth;
    return child.run(body, io);
  }

  async #condition(list: List, io: Io): Promise<boolean> {
    this.#conditionDepth++;
    try {
      return (await this.runList(list, io)) === 0;
    } finally {
      this.#conditionDepth--;
    }
  }

  async #runIf({ branches, otherwise }: Extract<Command, { type: 'if' }>, io: Io): Promise<number> {
    for (const { condition, body } of branches) if (await this.#condition(condition, io)) return this.runList(body, io);
    this.state.lastStatus = 0;
    return otherwise ? this.runList(otherwise, io) : 0;
  }

  async #runLoop(loop: Loop, io: Io): Promise<number> {
    const endless = loop.type === 'while' && isAlwaysTrue(loop.condition);
    const period = endless ? sleepOnly(loop.body) : undefined;
    const busy = endless && loop.body.every(({ andOr, background }) => !background && doesNothing(andOr));
    let raised = false;
    let status = 0;
    const raise = (): void => {
      if (!raised) this.task.idleDepth++;
      raised = true;
    };
    if (endless) raise();
    try {
      for (let turn = 0; ; turn++) {
        if (turn >= PATIENT_TURNS) raise();
        if (busy) {
          await this.task.burn();
          await this.deliverTraps(io);
          continue;
        }
        if (period !== undefined) {
          await this.task.sleepInTurns(period);
          await this.deliverTraps(io);
          continue;
        }
        if (!endless && (await this.#condition(loop.condition, io)) !== (loop.type === 'while')) return status;
        const turned = await this.#loopBody(loop.body, io);
        if (turned === 'break') return 0;
        status = turned;
      }
    } finally {
      if (raised) this.task.idleDepth--;
    }
  }

  async #loopBody(body: List, io: Io): Promise<number | 'break'> {
    try {
      return await this.runList(body, io);
    } catch (error) {
      if (!(error instanceof ControlFlow) || (error.type !== 'break' && error.type !== 'continue')) throw error;
      if (error.value > 1) throw new ControlFlow(error.type, error.value - 1);
      return error.type === 'break' ? 'break' : 0;
    }
  }

  async #runFor({ name, words, body }: Extract<Command, { type: 'for' }>, io: Io): Promise<number> {
    const values = words ? await expandWords(this.#expandParts(io), words) : this.state.parameters;
    let status = 0;
    for (const value of values) {
      this.state.variables.set(name, value);
      const turned = await this.#loopBody(body, io);
      if (turned === 'break') return 0;
      status = turned;
    }
    return status;
  }

  async #runCase({ subject, items }: Extract<Command, { type: 'case' }>, io: Io): Promise<number> {
    const parts = this.#expandParts(io);
    const text = await expandToText(parts, subject);
    for (const { patterns, body } of items) {
      for (const pattern of patterns) {
        if (patternToExpression(await expandToPattern(parts, pattern)).test(text)) return this.runList(body, io);
      }
    }
    return 0;
  }

  async #callFunction(definition: Command, argv: readonly string[], io: Io): Promise<number> {
    const { parameters } = this.state;
    this.state.parameters = argv.slice(1);
    try {
      return await this.#runCommand(definition, io);
    } catch (error) {
      if (error instanceof ControlFlow && error.type === 'return') return error.value;
      throw error;
    } finally {
      this.state.parameters = parameters;
    }
  }

  #expandParts(io: Io): ExpandParts {
    const { context } = this.task.world;
    return {
      state: this.state,
      pid: this.task.pid,
      random: () => this.task.world.random.integer(32768),
      list: (path) => context.files.list(path),
      capture: async (list) => {
        let written = '';
        const child = new Shell(this.task, this.state.copy());
        const stdout = (text: string): void => {
          written += text;
        };
        this.state.lastStatus = await child.run(list, { stdin: io.stdin, stdout, stderr: io.stderr });
        return written;
      },
    };
  }
}

/** `:` or `true`, and no more. */
function doesNothing({ first, rest }: List[number]['andOr']): boolean {
  const [command, ...more] = first.commands;
  if (command?.type !== 'simple' || more.length > 0 || rest.length > 0) return false;
  return command.redirects.length === 0 && command.words.length === 1 && [':', 'true'].includes(literalOf(command.words[0]) ?? '');
}

/** The loop's body is one `sleep` of a fixed time: how long. */
function sleepOnly(body: List): number | undefined {
  const [item, ...more] = body;
  const command = item?.andOr.first.commands[0];
  if (!item || more.length > 0 || item.background || item.andOr.rest.length > 0 || item.andOr.first.commands.length > 1) return undefined;
  if (command?.type !== 'simple' || command.redirects.length > 0 || command.assignments.length > 0 || command.words.length !== 2)
    return undefined;
  if (literalOf(command.words[0]) !== 'sleep') return undefined;
  return sleepMilliseconds([literalOf(command.words[1]) ?? '']);
}
