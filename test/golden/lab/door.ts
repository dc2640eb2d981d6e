import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { CreateClusterOptions } from '../../../src/cluster/config.ts';
import type { GoldenCase } from '../compare.mjs';
import { CLOUD_LAB } from './cloud.ts';
import { CSI_LAB } from './csi.ts';
import { DEVICE_PLUGIN_LAB } from './device-plugin.ts';
import { METRICS_LAB } from './metrics.ts';
import { OPERATOR_LAB } from './operator.ts';
import { CNI_LAB } from './cni.ts';
import { SCHEDULER_LAB } from './scheduler.ts';
import type { LabRequest, LabSystem } from './system.ts';

/** The programs around the recorded cluster; one file for each. */
const SYSTEMS: readonly LabSystem[] = [CLOUD_LAB, CSI_LAB, DEVICE_PLUGIN_LAB, METRICS_LAB, OPERATOR_LAB, CNI_LAB, SCHEDULER_LAB];
const ROUTES = new Map(SYSTEMS.flatMap(({ routes }) => Object.entries(routes)));

/** What the systems want of the cluster of a case. */
export function labClusterFor(testCase: GoldenCase): CreateClusterOptions {
  return Object.assign({}, ...SYSTEMS.map(({ clusterFor }) => clusterFor?.(testCase) ?? {})) as CreateClusterOptions;
}

/** Sets the systems up in a cluster that has come to rest. */
export async function prepareLab(cluster: Cluster, testCase: GoldenCase): Promise<void> {
  for (const { prepare } of SYSTEMS) await prepare?.(cluster, testCase);
}

/** Answers a request to a program around the cluster; undefined, at once, when it is one to the API server. */
export function answerLabDoor(cluster: Cluster, url: string, init: RequestInit = {}): Promise<Response> | undefined {
  const { pathname, searchParams } = new URL(url, 'http://lab');
  return pathname.startsWith('/lab/') ? answer(pathname, { cluster, query: searchParams, body: parse(init.body) }) : undefined;
}

async function answer(path: string, request: LabRequest): Promise<Response> {
  const route = ROUTES.get(path);
  if (!route) return failed(`nobody answers at ${path}`);
  try {
    return Response.json((await route(request)) ?? { ok: true });
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function parse(body: RequestInit['body']): unknown {
  return typeof body === 'string' && body ? JSON.parse(body) : {};
}

function failed(error: string): Response {
  return Response.json({ ok: false, error }, { status: 500 });
}
