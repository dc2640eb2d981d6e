import { chmodSync } from 'node:fs';
import { ADDON_NAMES, type Addons } from '../cluster/addons.ts';
import { Cluster } from '../cluster/cluster.ts';
import { ALL_COMPONENTS, type ClusterConfig, type ComponentName, type NodeConfig } from '../cluster/config.ts';
import { problemWithControllers } from '../cluster/flags.ts';
import { parseSchedulerConfig } from '../scenario/read-scheduler-config.ts';
import { formatRecording } from '../scenario/recording.ts';
import { type Addresses, ApiServer } from '../server/api-server.ts';
import { AuditFile } from '../server/audit-file.ts';
import type { CliCommand, OptionValues } from './command.ts';
import { fileProblem, readText, willWrite, writeText } from './files.ts';
import { numberOption, stringOption } from './option-values.ts';
import { UsageError } from './usage-error.ts';

/** How much of the trace is kept when nobody asked for a recording. */
const TRACE_TAIL = 10_000;
const DEFAULT_PORT = 6443;
/** Images of tutorials: a cluster that people try things on has pulled them long ago. */
const USUAL_IMAGES = ['busybox:1.36', 'httpd:2.4', 'nginx:1.26', 'nginx:1.27', 'nginx:1.28', 'postgres:16', 'redis:7'];

export const serve: CliCommand = {
  summary: 'serves the API over HTTP(S): kubectl, client libraries and operators connect',
  usage: '[options]',
  example: 'bottleship serve --nodes 3 --kubeconfig bottle.yaml   # then: kubectl --kubeconfig bottle.yaml get nodes',
  options: {
    nodes: { type: 'string' },
    images: { type: 'string' },
    port: { type: 'string' },
    'insecure-port': { type: 'string' },
    kubeconfig: { type: 'string' },
    'audit-log-path': { type: 'string' },
    speed: { type: 'string' },
    seed: { type: 'string' },
    record: { type: 'string' },
    addons: { type: 'string' },
    components: { type: 'string' },
    controllers: { type: 'string' },
    'scheduler-config': { type: 'string' },
  },
  optionHelp: {
    nodes: 'how many nodes, or their names: 3, or n1,n2 (default: 3)',
    images: `which images the nodes have from the start; others are pulled first (default: ${USUAL_IMAGES.join(',')}; '' for none)`,
    port: 'HTTPS on 127.0.0.1 (default: 6443, or none when only --insecure-port is given; 0: any free port)',
    'insecure-port': 'plain HTTP on 127.0.0.1, with the rights of an administrator (0: any free port)',
    kubeconfig: 'write a kubeconfig for the administrator to this file (means --port as well)',
    'audit-log-path': 'append each write to this file, as kube-apiserver does',
    speed:
      'virtual seconds for each second of the clock on the wall (default: 1; 0: time stands still until POST /bottleship/clock?advance=30s)',
    seed: 'the source of all chance (default: 1)',
    record: 'write a recording to this file at the end, for replay',
    addons: `programs to install, of ${ADDON_NAMES.join(',')} (default: none)`,
    components: `which components run, e.g. kube-scheduler,kubelet (default: all of ${ALL_COMPONENTS.join(',')})`,
    controllers: 'as --controllers of kube-controller-manager, e.g. *,-nodelifecycle (default: *)',
    'scheduler-config': 'a KubeSchedulerConfiguration for kube-scheduler, as its --config takes it',
  },
  async run(args, options) {
    if (args.length) throw new UsageError(`serve takes options only, not ${args.join(' ')}`);
    const audit = openAudit(stringOption(options, 'audit-log-path'));
    const record = stringOption(options, 'record');
    willWrite(record);
    const watching = {
      trace: record ? ('full' as const) : { tail: TRACE_TAIL },
      stages: record !== undefined,
      digest: record !== undefined,
    };
    const cluster = new Cluster({ ...configOf(options), ...watching, ...(audit ? { audit: audit.write } : {}) });
    await cluster.settle();
    const code = await serveUntilStopped(cluster, options);
    audit?.close();
    if (record) writeText(record, recordingOf(cluster));
    return code;
  },
};

/** @throws UsageError */
function configOf(options: OptionValues): ClusterConfig {
  const [seed, components, controllers, schedulerConfig] = ['seed', 'components', 'controllers', 'scheduler-config'].map((name) =>
    stringOption(options, name),
  );
  return {
    epoch: Math.floor(Date.now() / 1000) * 1000,
    nodes: nodesOption(stringOption(options, 'nodes'), stringOption(options, 'images')?.split(',').filter(Boolean) ?? USUAL_IMAGES),
    outside: true,
    ...(seed === undefined ? {} : { seed }),
    ...addonsOption(stringOption(options, 'addons')),
    ...(components === undefined ? {} : { components: componentsOption(components) }),
    ...(controllers === undefined ? {} : { controllers: controllersOption(controllers) }),
    ...(schedulerConfig === undefined ? {} : { schedulerConfig: parseSchedulerConfig(readText(schedulerConfig), schedulerConfig) }),
  };
}

function nodesOption(text: string | undefined, images: readonly string[]): NodeConfig[] {
  if (text === undefined || /^\d+$/.test(text))
    return Array.from({ length: Number(text ?? 3) }, (_, index) => ({ name: `n${index + 1}`, images }));
  const names = text.split(',');
  const wrong = names.find((name) => !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name));
  if (wrong !== undefined) throw new UsageError(`--nodes takes a number, or names such as n1,n2; "${wrong}" is no name`);
  return names.map((name) => ({ name, images }));
}

function addonsOption(text: string | undefined): { addons?: Addons } {
  if (text === undefined) return {};
  const names = text.split(',');
  const wrong = names.find((name) => !(ADDON_NAMES as readonly string[]).includes(name));
  if (wrong !== undefined) throw new UsageError(`--addons: there is no addon "${wrong}"; there are ${ADDON_NAMES.join(', ')}`);
  return { addons: Object.fromEntries(names.map((name) => [name, {}])) };
}

/** etcd and kube-apiserver always run; they may be named all the same. */
function componentsOption(text: string): ComponentName[] {
  const names = text.split(',').filter((name) => name !== 'etcd' && name !== 'kube-apiserver');
  const wrong = names.find((name) => !(ALL_COMPONENTS as readonly string[]).includes(name));
  if (wrong !== undefined)
    throw new UsageError(`--components: there is no component "${wrong}"; there are etcd, kube-apiserver, ${ALL_COMPONENTS.join(', ')}`);
  return names as ComponentName[];
}

function controllersOption(text: string): string[] {
  const controllers = text.split(',');
  const problem = problemWithControllers(controllers);
  if (problem) throw new UsageError(`--controllers: ${problem}`);
  return controllers;
}

function speedOption(options: OptionValues): number {
  const text = stringOption(options, 'speed') ?? '1';
  const speed = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !Number.isFinite(speed))
    throw new UsageError(`--speed takes a number such as 1, 20 or 0, not "${text}"`);
  return speed;
}

function openAudit(path: string | undefined): AuditFile | undefined {
  if (path === undefined) return undefined;
  try {
    return new AuditFile(path);
  } catch (error) {
    throw new UsageError(`${path}: ${fileProblem(error)}`);
  }
}

const HIGHEST_PORT = 65_535;

/** @throws UsageError */
function portOption(options: OptionValues, name: string): number | undefined {
  const port = numberOption(options, name);
  if (port !== undefined && port > HIGHEST_PORT) throw new UsageError(`--${name} takes a port from 0 to ${HIGHEST_PORT}, not ${port}`);
  return port;
}

/** Serves until SIGINT or SIGTERM. */
async function serveUntilStopped(cluster: Cluster, options: OptionValues): Promise<number> {
  const insecurePort = portOption(options, 'insecure-port');
  const kubeconfig = stringOption(options, 'kubeconfig');
  const port = portOption(options, 'port') ?? (insecurePort === undefined || kubeconfig ? DEFAULT_PORT : undefined);
  let stop = (): void => {};
  let fail = (_: unknown): void => {};
  const stopped = new Promise<number>((resolve, reject) => {
    stop = () => resolve(0);
    fail = reject;
  });
  const server = new ApiServer({
    cluster,
    speed: speedOption(options),
    keepInputs: stringOption(options, 'record') !== undefined,
    ...(insecurePort === undefined ? {} : { insecurePort }),
    ...(port === undefined ? {} : { port }),
    onFailure: (error) => fail(error),
  });
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const addresses = await start(server);
    if (kubeconfig) writeSecret(kubeconfig, addresses.kubeconfig ?? '');
    process.stdout.write(`ready ${[addresses.secure, addresses.insecure].filter(Boolean).join(' ')}\n`);
    return await stopped;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    await server.stop();
  }
}

/** Nobody else may read the administrator's key. */
function writeSecret(path: string, text: string): void {
  writeText(path, '');
  chmodSync(path, 0o600);
  writeText(path, text);
}

async function start(server: ApiServer): Promise<Addresses> {
  try {
    return await server.start();
  } catch (error) {
    const { code, port } = error as NodeJS.ErrnoException & { port?: number };
    if (code === 'EADDRINUSE') throw new UsageError(`port ${port} is taken; give another one, or 0 for any that is free`);
    if (code === 'EACCES') throw new UsageError(`port ${port} is not allowed; take one above 1023`);
    throw error;
  }
}

function recordingOf({ simulation, config }: Cluster): string {
  const end = { events: simulation.executed, time: simulation.now };
  return formatRecording({
    title: 'bottleship serve',
    config: { ...config, seed: simulation.seed },
    inputs: simulation.inputs,
    end,
    digest: simulation.trace.digest(),
  });
}
