import { type ClusterEvent, type ClusterEventWithHint, isWildCard, matchClusterEvent } from '../../framework/events.ts';
import type { InFlightEvent } from './in-flight.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** What each plugin of a profile waits for, by plugin: framework.QueueingHintMap. */
export type QueueingHints = ReadonlyMap<string, readonly ClusterEventWithHint[]>;

/** pkg/scheduler/backend/queue queueingStrategy */
export type QueueingStrategy = 'skip' | 'after backoff' | 'immediately';

/** Which plugins wait for which events, remembered: most events concern nobody, and there may be thousands of pods to ask. */
export class EventInterest {
  readonly #hints: ReadonlyMap<string, QueueingHints>;
  readonly #plugins = new Map<string, ReadonlySet<string>>();

  /** @param hints by scheduler name; they may still be filled in */
  constructor(hints: ReadonlyMap<string, QueueingHints>) {
    this.#hints = hints;
  }

  /** Absent for events that concern every plugin. */
  pluginsFor(event: ClusterEvent): ReadonlySet<string> | undefined {
    if (isWildCard(event)) return undefined;
    const key = `${event.resource}/${event.actionType}`;
    let plugins = this.#plugins.get(key);
    if (!plugins) {
      const matching = [...this.#hints.values()].flatMap((hints) =>
        [...hints].filter(([, registered]) => registered.some((one) => matchClusterEvent(one.event, event))).map(([plugin]) => plugin),
      );
      plugins = new Set(matching);
      this.#plugins.set(key, plugins);
    }
    return plugins;
  }
}

/** PriorityQueue.isPodWorthRequeuing: may what happened make the pod pass the plugins that refused it? */
export function isPodWorthRequeuing(
  hints: QueueingHints,
  pod: QueuedPodInfo,
  { event, oldObject, newObject }: Omit<InFlightEvent, 'cause'>,
): QueueingStrategy {
  if (pod.unschedulablePlugins.size + pod.pendingPlugins.size === 0 || isWildCard(event)) return 'after backoff';
  let strategy: QueueingStrategy = 'skip';
  for (const plugin of new Set([...pod.pendingPlugins, ...pod.unschedulablePlugins])) {
    for (const { event: registered, hint } of hints.get(plugin) ?? []) {
      if (!matchClusterEvent(registered, event)) continue;
      if (hint && !hint(pod.pod, oldObject, newObject)) continue;
      if (pod.pendingPlugins.has(plugin)) return 'immediately';
      strategy = 'after backoff';
    }
  }
  return strategy;
}
