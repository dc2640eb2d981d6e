import { expect, it } from 'vitest';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { PodUsage } from './pod-usage.ts';
import { rankPods } from './rank.ts';

const MI = 2 ** 20;

/** A pod `name` with a request of memory in Mi. */
const podOf = (name: string, request: number, priority = 0): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: name },
  spec: { priority, containers: [{ name: 'c', resources: { requests: { memory: `${request}Mi` } } }] },
});
const usageOf = (memory: number, processes = 1): PodUsage => ({ memory: memory * MI, disk: 0, processes, containers: [] });
const names = (pods: readonly Pod[]): string[] => pods.map(({ metadata }) => metadata.name ?? '');

it('takes those first that use more memory than they asked for, by priority, then by the excess', () => {
  const pods = [podOf('modest', 200), podOf('important', 10, 1000), podOf('greedy', 10), podOf('greedier', 10)];
  const usage = new Map([
    ['modest', usageOf(150)],
    ['important', usageOf(500)],
    ['greedy', usageOf(100)],
    ['greedier', usageOf(300)],
  ]);
  expect(names(rankPods(pods, 'memory', usage))).toEqual(['greedier', 'greedy', 'important', 'modest']);
});

it('takes those of which nothing is known before all others, of process ids only within a priority', () => {
  const pods = [podOf('greedy', 10), podOf('pulling', 10, 1000)];
  const usage = new Map([['greedy', usageOf(300, 20)]]);
  expect(names(rankPods(pods, 'memory', usage))).toEqual(['pulling', 'greedy']);
  expect(names(rankPods(pods, 'pids', usage))).toEqual(['greedy', 'pulling']);
  expect(names(rankPods([podOf('greedy', 10), podOf('pulling', 10)], 'pids', usage))).toEqual(['pulling', 'greedy']);
});
