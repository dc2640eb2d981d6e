import { DEFAULT_MULTI_POINT_PLUGINS } from '../../apis/config/default-plugins.ts';
import type { KubeSchedulerProfile, PluginSet } from '../../apis/config/kube-scheduler-configuration.ts';
import type { Plugin } from '../interface.ts';

/** The extension points as KubeSchedulerConfiguration names them, each with the method that makes a plugin take part. */
const EXTENSION_POINTS = {
  preEnqueue: 'preEnqueue',
  queueSort: 'less',
  preFilter: 'preFilter',
  filter: 'filter',
  postFilter: 'postFilter',
  preScore: 'preScore',
  score: 'score',
  reserve: 'reserve',
  permit: 'permit',
  preBind: 'preBind',
  bind: 'bind',
  postBind: 'postBind',
} as const satisfies Record<string, keyof Plugin>;

export type ExtensionPoint = keyof typeof EXTENSION_POINTS;

interface WeightedName {
  readonly name: string;
  readonly weight: number;
}

/** pkg/scheduler/apis/config/v1 mergePluginSet: the defaults, less what is disabled, changed in place or followed by what is enabled. */
function mergePluginSet(defaults: readonly WeightedName[], custom: PluginSet | undefined): readonly WeightedName[] {
  const disabled = new Set((custom?.disabled ?? []).map((one) => one.name));
  const enabled = new Map((custom?.enabled ?? []).map((one) => [one.name, { name: one.name, weight: one.weight ?? 0 }]));
  const merged: WeightedName[] = [];
  const replaced = new Set<string>();
  if (!disabled.has('*')) {
    for (const one of defaults) {
      if (disabled.has(one.name)) continue;
      const custom = enabled.get(one.name);
      if (custom) replaced.add(one.name);
      merged.push(custom ?? one);
    }
  }
  for (const one of enabled.values()) if (!replaced.has(one.name)) merged.push(one);
  return merged;
}

/** The names of all plugins that the profile may use. */
export function pluginsNeeded(profile: KubeSchedulerProfile): ReadonlySet<string> {
  const names = new Set(mergePluginSet(DEFAULT_MULTI_POINT_PLUGINS, profile.plugins?.multiPoint).map((one) => one.name));
  for (const point of Object.keys(EXTENSION_POINTS) as ExtensionPoint[]) {
    for (const one of profile.plugins?.[point]?.enabled ?? []) names.add(one.name);
  }
  return names;
}

/**
 * Which plugins run at an extension point, in order, with their weights: frameworkImpl.expandMultiPointPlugins
 * (pkg/scheduler/framework/runtime/framework.go).
 */
export function expandMultiPointPlugins(
  profile: KubeSchedulerProfile,
  point: ExtensionPoint,
  plugins: ReadonlyMap<string, Plugin>,
): { plugin: Plugin; weight: number }[] {
  const multiPoint = mergePluginSet(DEFAULT_MULTI_POINT_PLUGINS, profile.plugins?.multiPoint);
  const specific = mergePluginSet([], profile.plugins?.[point]);
  const disabled = new Set((profile.plugins?.[point]?.disabled ?? []).map((one) => one.name));
  const explicit = new Set(specific.map((one) => one.name));
  const overriding = new Set<string>();
  const fromMultiPoint: WeightedName[] = [];
  for (const one of disabled.has('*') ? [] : multiPoint) {
    const plugin = plugins.get(one.name);
    if (!plugin || typeof plugin[EXTENSION_POINTS[point]] !== 'function' || disabled.has(one.name)) continue;
    if (explicit.has(one.name)) overriding.add(one.name);
    else fromMultiPoint.push(one);
  }
  const ordered = [
    ...specific.filter((one) => overriding.has(one.name)),
    ...fromMultiPoint,
    ...specific.filter((one) => !overriding.has(one.name)),
  ];
  return ordered.flatMap(({ name, weight }) => {
    const plugin = plugins.get(name);
    return plugin && typeof plugin[EXTENSION_POINTS[point]] === 'function' ? [{ plugin, weight: weight || 1 }] : [];
  });
}
