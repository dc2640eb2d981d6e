import type { Pod } from '../api/kinds/core-v1.ts';
import { parseManifest } from '../api/manifest.ts';
import type { KubernetesObject } from '../api/object.ts';
import { parseTime } from '../api/time.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterConfig } from '../cluster/config.ts';
import { isImportable } from '../cluster/import-objects.ts';
import { decisionsAbout } from '../tui/model/scheduling-decision.ts';
import type { OptionValues } from './command.ts';
import { readText } from './files.ts';
import { listOption, numberOption, stringOption } from './option-values.ts';
import { runViewOf } from './run-view.ts';
import { UsageError } from './usage-error.ts';
import { whyPodLines } from './why-pod.ts';

/** More tables than this are too many to read. */
const SHOWN_PODS = 20;

/** Kinds of which a controller makes pods, and no controller runs. */
const MAKES_PODS = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicationController']);

/**
 * A cluster of what `kubectl get nodes,pods,... -A -o yaml` printed, with nothing but a scheduler: no kubelets run for its nodes, nothing changes but what is asked.
 * @param leaveOut hears of kinds that cannot be imported
 * @throws ManifestError, UsageError
 */
export function readSnapshot(text: string, file: string, leaveOut: (kinds: readonly string[]) => void): ClusterConfig {
  const all = parseManifest(text, file).map(({ object }) => object);
  const snapshot = all.filter(isImportable);
  const left = [...new Set(all.filter((object) => !isImportable(object)).map(({ apiVersion, kind }) => `${kind} (${apiVersion})`))];
  if (!snapshot.some(({ kind }) => kind === 'Node'))
    throw new UsageError(`${file}: there are no nodes in it; it takes what this prints: kubectl get nodes,pods,services -A -o yaml`);
  if (left.length) leaveOut(left);
  return { nodes: 0, components: ['kube-scheduler'], snapshot, epoch: latestMoment(snapshot) };
}

/** The virtual clock begins after everything in the snapshot, so that nothing is younger than now. */
function latestMoment(objects: readonly KubernetesObject[]): number {
  const times = objects.flatMap(({ metadata }) => parseTime(metadata.creationTimestamp) ?? []);
  return times.reduce((latest, time) => Math.max(latest, time), Date.UTC(2026, 0, 1)) + 1000;
}

/** The cluster of `--snapshot FILE`; kinds that are left out are told on standard error. @throws UsageError, ManifestError */
export function snapshotOption(options: OptionValues): ClusterConfig {
  const file = stringOption(options, 'snapshot');
  if (file === undefined) return {};
  if (numberOption(options, 'nodes') !== undefined) throw new UsageError('--snapshot brings its nodes; leave --nodes away');
  const leftOut = (kinds: readonly string[]): void => void process.stderr.write(`left out of ${file}: ${kinds.join(', ')}\n`);
  return readSnapshot(readText(file), file, leftOut);
}

/** The manifests of `-f FILE`, read and found well. @throws UsageError, ManifestError */
export function manifestFiles(options: OptionValues): { readonly file: string; readonly text: string }[] {
  return listOption(options, 'filename').map((file) => {
    const text = readText(file);
    parseManifest(text, file);
    if (stringOption(options, 'snapshot') !== undefined) checkForSnapshot(text, file);
    return { file, text };
  });
}

/** @throws UsageError for what would have no effect */
export function checkForSnapshot(text: string, file: string): void {
  const workload = parseManifest(text, file).find(({ object }) => MAKES_PODS.has(object.kind ?? ''));
  if (workload)
    throw new UsageError(
      `${file}:${workload.line}: with --snapshot only a scheduler runs, so nobody makes Pods of a ${workload.object.kind}; give a Pod`,
    );
}

/** For each pod that waited for a node: where it goes, and why not elsewhere. */
export function snapshotAnswers(cluster: Cluster): string[] {
  const view = runViewOf(cluster);
  const pods = new Map<string, { namespace: string; name: string }>();
  for (const { object } of view.entries.flatMap((entry) => (entry.kind === 'decision' && entry.object ? [{ object: entry.object }] : []))) {
    if (object.kind === 'Pod') pods.set(`${object.namespace}/${object.name}`, { namespace: object.namespace ?? '', name: object.name });
  }
  const asked = [...pods.values()].filter((pod) => decisionsAbout(view.entries, pod).length > 0);
  const tables = asked.slice(0, SHOWN_PODS).flatMap((pod) => ['', ...(whyPodLines(view, pod) ?? [])]);
  if (asked.length === 0) return ['', 'No pod waits for a node. Give one with -f.', ...waiting(cluster)];
  return [
    ...tables,
    ...(asked.length > SHOWN_PODS ? ['', `and ${asked.length - SHOWN_PODS} more: --record RUN.json, then why pod/NAME`] : []),
  ];
}

/** Pods that no scheduler of ours looks at. */
function waiting(cluster: Cluster): string[] {
  const objects = runViewOf(cluster).listObjects(cluster.etcd.revision);
  const others = objects.filter(
    (object): object is Pod => object.kind === 'Pod' && !(object as Pod).spec?.nodeName && !finished(object as Pod),
  );
  return others.map(({ metadata, spec }) => `  ${metadata.namespace}/${metadata.name} waits for scheduler ${spec?.schedulerName}`);
}

function finished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
