import { formatDate } from './date-format.ts';
import type { Applet, ExternalCall } from './external-call.ts';
import { kill } from './kill.ts';
import { sleepMilliseconds } from './sleep-duration.ts';
import { Task } from './task.ts';

const EPHEMERAL_UNAME = 'Linux';

/** Commands about time, processes and the machine. */
export const SYSTEM_APPLETS: Record<string, Applet> = {
  true: () => 0,
  false: () => 1,
  sleep,
  usleep: async ({ task, argv }) => {
    await task.sleep(Number(argv[1] ?? 0) / 1000);
    return 0;
  },
  date: ({ task, argv, io }) => {
    const format = argv.find((argument) => argument.startsWith('+'))?.slice(1);
    io.stdout(`${formatDate(task.world.context.actor.wallTime, format)}\n`);
    return 0;
  },
  hostname: ({ task, argv, io }) => {
    const { hostname, network } = task.world.context;
    io.stdout(`${argv[1] === '-i' || argv[1] === '-I' ? network.ip : hostname}\n`);
    return 0;
  },
  uname: ({ task, argv, io }) => {
    io.stdout(
      argv[1] === '-a'
        ? `${EPHEMERAL_UNAME} ${task.world.context.hostname} 6.8.0 x86_64 GNU/Linux\n`
        : argv[1] === '-n'
          ? `${task.world.context.hostname}\n`
          : `${EPHEMERAL_UNAME}\n`,
    );
    return 0;
  },
  whoami: ({ task, io }) => {
    const { uid } = task.world.context.user;
    if (uid === 0) io.stdout('root\n');
    else io.stderr(`whoami: unknown uid ${uid}\n`);
    return uid === 0 ? 0 : 1;
  },
  id: ({ task, argv, io }) => {
    const { uid, gid, supplementalGroups } = task.world.context.user;
    if (argv[1] === '-u' || argv[1] === '-g') io.stdout(`${argv[1] === '-u' ? uid : gid}\n`);
    else if (argv[1] === '-G') io.stdout(`${supplementalGroups.join(' ')}\n`);
    else io.stdout(`uid=${named(uid)} gid=${named(gid)} groups=${supplementalGroups.map(named).join(',')}\n`);
    return 0;
  },
  nproc: ({ io }) => {
    io.stdout('1\n');
    return 0;
  },
  env,
  printenv: ({ state, argv, io }) => {
    const environment = state.environment();
    if (argv.length === 1) for (const [name, value] of environment) io.stdout(`${name}=${value}\n`);
    const missing = argv.slice(1).filter((name) => !environment.has(name));
    for (const name of argv.slice(1)) if (environment.has(name)) io.stdout(`${environment.get(name)}\n`);
    return missing.length > 0 ? 1 : 0;
  },
  ps: ({ task, io }) => {
    const { uid } = task.world.context.user;
    const user = uid === 0 ? 'root' : String(uid);
    io.stdout('PID   USER     TIME  COMMAND\n');
    for (const pid of task.world.tasks.keys())
      io.stdout(`${String(pid).padStart(5)} ${user.padEnd(8)}  0:00 ${task.world.context.argv.join(' ')}\n`);
    return 0;
  },
  which: (call) => {
    const { argv, io } = call;
    const found = argv.slice(1).filter((name) => call.task.world.externals.has(name));
    for (const name of found) io.stdout(`/bin/${name}\n`);
    return found.length === argv.length - 1 ? 0 : 1;
  },
  pwd: ({ state, io }) => {
    io.stdout(`${state.workingDir}\n`);
    return 0;
  },
  kill: (call) => kill(call, call.argv, call.io),
  timeout,
  nohup: (call) => call.task.world.externals.run({ ...call, argv: call.argv.slice(1) }),
  nice: (call) => call.task.world.externals.run({ ...call, argv: call.argv.slice(1) }),
  sync: () => 0,
  stty: () => 0,
  chmod: () => 0,
  chown: () => 0,
  sysctl: () => 0,
};

/** Of users and groups only root has a name. */
const named = (id: number): string => (id === 0 ? '0(root)' : String(id));

async function sleep({ task, argv, io }: ExternalCall): Promise<number> {
  const ms = sleepMilliseconds(argv.slice(1));
  if (argv.length < 2) io.stderr('BusyBox v1.36.1 multi-call binary.\n\nUsage: sleep [N]...\n');
  else if (ms === undefined)
    io.stderr(`sleep: invalid number '${argv.slice(1).find((argument) => sleepMilliseconds([argument]) === undefined)}'\n`);
  if (ms === undefined || argv.length < 2) return 1;
  await task.sleep(ms);
  return 0;
}

function env(call: ExternalCall): number | Promise<number> {
  const { state, argv, io } = call;
  const rest = argv.slice(1);
  const inner = state.copy();
  while (/^[A-Za-z_]\w*=/.test(rest[0] ?? '')) {
    const [name = '', ...value] = (rest.shift() ?? '').split('=');
    inner.variables.set(name, value.join('='));
    inner.exported.add(name);
  }
  if (rest.length > 0) return call.task.world.externals.run({ ...call, state: inner, argv: rest });
  for (const [name, value] of inner.environment()) io.stdout(`${name}=${value}\n`);
  return 0;
}

/** `timeout SECONDS COMMAND…` */
async function timeout(call: ExternalCall): Promise<number> {
  const { task, argv } = call;
  const rest = argv.slice(1).filter((argument, index) => !(index === 0 && argument === '-t'));
  const ms = sleepMilliseconds([rest[0] ?? '']) ?? 0;
  const child = new Task(task.world, task);
  const { actor } = task.world.context;
  const timer = actor.schedule(ms, () => child.end(143));
  const run = async (): Promise<void> => {
    const status = await call.task.world.externals.run({ ...call, task: child, argv: rest.slice(1) });
    if (child.alive) child.end(status);
  };
  actor.schedule(0, run);
  await task.until(() => !child.alive);
  timer.cancel();
  return child.status;
}
