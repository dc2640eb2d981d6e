import type { HttpAnswer, HttpCall, KubernetesObject } from 'bottleship';

export interface Fleet extends KubernetesObject {
  spec: { replicas: number; image: string };
  status?: { replicas: number; ready: number };
}

interface SyncRequest {
  readonly parent: Fleet;
  /** What is there, by `<Kind>.<apiVersion>`, then by name. */
  readonly children: Readonly<Record<string, Readonly<Record<string, ChildStatus>>>>;
  readonly finalizing: boolean;
}

type ChildStatus = KubernetesObject & { readonly status?: { readonly conditions?: readonly { type: string; status: string }[] } };

/**
 * The whole controller: given a Fleet and the Pods that are there, which Pods should be there? Metacontroller does the rest: watches, caches, creates, updates one
 * after another, deletes, and writes the status. When the Fleet is deleted, its Pods go one by one, the last one first.
 */
export function answerFleetHook({ body = '' }: HttpCall): HttpAnswer {
  const { parent, children, finalizing } = JSON.parse(body) as SyncRequest;
  const observed = Object.values(children['Pod.v1'] ?? {});
  const wanted = finalizing ? Math.max(0, observed.length - 1) : parent.spec.replicas;
  const answer = {
    children: Array.from({ length: wanted }, (_, index) => podOf(parent, index)),
    status: { replicas: observed.length, ready: observed.filter(isReady).length },
    ...(finalizing ? { finalized: observed.length === 0 } : {}),
  };
  return { status: 200, body: JSON.stringify(answer) };
}

/** Only what matters here; the server fills in the rest, and metacontroller leaves that alone. */
function podOf({ metadata: { name }, spec: { image } }: Fleet, index: number): KubernetesObject & { spec: object } {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${name}-${index}`, labels: { fleet: name ?? '' } },
    spec: { containers: [{ name: 'ship', image }], terminationGracePeriodSeconds: 1 },
  };
}

function isReady({ status }: ChildStatus): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}
