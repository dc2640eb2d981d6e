import { Etcd } from '../../components/etcd/etcd.ts';
import { createKubeApiserver } from '../../components/kube-apiserver/server.ts';
import type { KubeSchedulerConfiguration } from '../../components/kube-scheduler/apis/config/kube-scheduler-configuration.ts';
import { runKubeScheduler } from '../../components/kube-scheduler/server.ts';
import { deepEqual } from '../../src/api/deep-equal.ts';
import type { Node, Pod } from '../../src/api/kinds/core-v1.ts';
import { type KubernetesObject, keyOf } from '../../src/api/object.ts';
import type { Resource } from '../../src/api/resource.ts';
import { BUILT_IN_RESOURCES, pods } from '../../src/api/resources.ts';
import { Client } from '../../src/client/client.ts';
import { DEFAULT_TIMING } from '../../src/client/timing.ts';
import { InProcessTransport } from '../../src/cluster/in-process-transport.ts';
import { Network } from '../../src/cluster/network.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { Simulation } from '../../src/sim/simulation.ts';

type CaseObject = KubernetesObject & { status?: unknown };

interface Step {
  readonly create?: readonly CaseObject[];
  readonly patch?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string; readonly subresource?: string; readonly body: unknown }[];
  readonly delete?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string; readonly gracePeriodSeconds?: number }[];
  readonly quietMs?: number;
}

/** A recorded case of the scheduler that tells a story in steps. */
export interface SchedulerStory {
  readonly id: string;
  readonly title: string;
  readonly config?: KubeSchedulerConfiguration;
  readonly nodes: readonly Node[];
  readonly objects?: readonly CaseObject[];
  readonly steps: readonly Step[];
  readonly expect: { readonly steps: readonly { readonly attempts: readonly string[]; readonly pods: Readonly<Record<string, unknown>> }[] };
}

const BY_KIND = new Map(BUILT_IN_RESOURCES.map((one) => [one.kind, one]));
const QUIET_MS = 1800;

/** kube-apiserver and kube-scheduler, and nobody else. */
class SchedulerStage {
  readonly simulation: Simulation;
  readonly admin: Client;
  readonly #person: Actor;

  constructor(options: { readonly seed: string; readonly config?: KubeSchedulerConfiguration; readonly trace?: 'full' | 'off' }) {
    const simulation = new Simulation({ seed: options.seed, trace: options.trace ?? 'full' });
    this.simulation = simulation;
    const idle = (name: string): Actor => {
      const actor = simulation.actor(name, () => {});
      actor.start();
      return actor;
    };
    const etcd = new Etcd({ actor: idle('etcd') });
    const server = idle('kube-apiserver');
    const api = createKubeApiserver({ simulation, etcd, config: { actor: server } });
    const network = new Network();
    const clientOf = (actor: Actor, username: string, ...groups: string[]): Client => {
      const transport = new InProcessTransport({ actor, server, handler: () => api, network, timing: DEFAULT_TIMING });
      return new Client({ actor, user: { username, groups: [...groups, 'system:authenticated'] }, transport });
    };
    this.#person = idle('recorder');
    this.admin = clientOf(this.#person, 'recorder', 'system:masters');
    simulation.actor('kube-scheduler', (actor) =>
      runKubeScheduler({ actor, client: clientOf(actor, 'system:kube-scheduler'), config: options.config ?? {} }),
    );
  }

  startScheduler(): Promise<void> {
    this.simulation.actors.get('kube-scheduler')?.start();
    return this.simulation.settle();
  }

  /** Does something as a person would, and waits for the answers. */
  async act(body: (admin: Client) => Promise<void>): Promise<void> {
    let failure: unknown;
    let done = false;
    this.#person.schedule(0, async () => {
      try {
        await body(this.admin);
      } catch (error) {
        failure = error;
      }
      done = true;
    });
    await this.simulation.runUntil(() => done, 60_000);
    if (failure) throw failure;
  }

  async create(object: CaseObject): Promise<void> {
    const resource = BY_KIND.get(object.kind ?? 'Pod') as Resource;
    const { status, ...rest } = object;
    const metadata = resource.namespaced ? { ...rest.metadata, namespace: rest.metadata.namespace ?? 'default' } : rest.metadata;
    const client = this.admin.resource(resource);
    await client.create({ ...rest, metadata } as KubernetesObject);
    const place = { ...(metadata.namespace ? { namespace: metadata.namespace } : {}), name: metadata.name ?? '' };
    // The recorder ran without the admission plugin that taints new nodes.
    if (object.kind === 'Node') await client.patch(place, { spec: { taints: (object as Node).spec?.taints ?? null } }, { type: 'merge' });
    if (status) await client.patch(place, { status }, { type: 'merge', subresource: 'status' });
  }
}

/** Plays a story; returns what differs from the recording, in words. */
export async function playSchedulerStory(story: SchedulerStory): Promise<string[]> {
  const stage = new SchedulerStage({ seed: story.id, ...(story.config ? { config: story.config } : {}) });
  await stage.simulation.settle();
  const order = ['Namespace', 'PriorityClass', 'StorageClass', 'PersistentVolume', 'PersistentVolumeClaim'];
  const rank = (object: CaseObject): number => (object.kind === 'Pod' ? order.length + 1 : order.includes(object.kind ?? '') ? order.indexOf(object.kind ?? '') : order.length);
  await stage.act(async () => {
    await stage.create({ kind: 'ServiceAccount', metadata: { name: 'default' } });
    for (const node of story.nodes) await stage.create({ ...node, kind: 'Node' });
    for (const object of [...(story.objects ?? [])].sort((a, b) => rank(a) - rank(b))) await stage.create(object);
  });
  await stage.startScheduler();
  const differences: string[] = [];
  for (const [i, step] of story.steps.entries()) {
    const before = stage.simulation.trace.last;
    await playStep(stage, step);
    await quiet(stage, step.quietMs ?? QUIET_MS);
    const attempts = decisionsSince(stage, before);
    const seen = await podsOf(stage);
    const want = story.expect.steps[i];
    if (!deepEqual(want?.attempts, attempts)) differences.push(`step ${i} attempts: want ${JSON.stringify(want?.attempts)} got ${JSON.stringify(attempts)}`);
    for (const key of new Set([...Object.keys(want?.pods ?? {}), ...Object.keys(seen)])) {
      if (!deepEqual(want?.pods[key], seen[key])) differences.push(`step ${i} ${key}:\n    want ${JSON.stringify(want?.pods[key])}\n    got  ${JSON.stringify(seen[key])}`);
    }
  }
  return differences;
}

function playStep(stage: SchedulerStage, step: Step): Promise<void> {
  const place = (one: { readonly kind: string; readonly name: string; readonly namespace?: string }) => {
    const resource = BY_KIND.get(one.kind) as Resource;
    return { client: stage.admin.resource(resource), at: { ...(resource.namespaced ? { namespace: one.namespace ?? 'default' } : {}), name: one.name } };
  };
  return stage.act(async () => {
    for (const object of step.create ?? []) await stage.create(object);
    for (const one of step.patch ?? []) {
      const { client, at } = place(one);
      await client.patch(at, one.body, { type: 'merge', ...(one.subresource ? { subresource: one.subresource } : {}) });
    }
    for (const one of step.delete ?? []) {
      const { client, at } = place(one);
      await client.delete(at, { gracePeriodSeconds: one.gracePeriodSeconds ?? 0 });
    }
  });
}

/** Runs until the scheduler has tried nothing for a while. */
async function quiet(stage: SchedulerStage, quietMs: number): Promise<void> {
  for (let before = -1; before !== stage.simulation.trace.last; ) {
    before = stage.simulation.trace.last;
    await stage.simulation.advance(quietMs);
    if (decisionsSince(stage, before).length === 0) return;
  }
}

function decisionsSince(stage: SchedulerStage, seq: number): string[] {
  return stage.simulation.trace.entries.flatMap((entry) =>
    entry.seq > seq && entry.kind === 'decision' && entry.component === 'kube-scheduler' ? [`${entry.object?.namespace}/${entry.object?.name}`] : [],
  );
}

async function podsOf(stage: SchedulerStage): Promise<Record<string, unknown>> {
  let list: readonly Pod[] = [];
  await stage.act(async (admin) => {
    list = (await admin.resource(pods).list()).items;
  });
  return Object.fromEntries(list.map((pod) => [keyOf(pod), { ...placeOf(pod), ...(pod.metadata.deletionTimestamp ? { terminating: true } : {}) }]));
}

function placeOf(pod: Pod): Record<string, unknown> {
  if (pod.spec?.nodeName) return { node: pod.spec.nodeName };
  const condition = pod.status?.conditions?.find((one) => one.type === 'PodScheduled');
  if (!condition) return { pending: true };
  const { reason, message } = condition;
  const nominatedNodeName = pod.status?.nominatedNodeName;
  return { unschedulable: { reason, message, ...(nominatedNodeName ? { nominatedNodeName } : {}) } };
}
