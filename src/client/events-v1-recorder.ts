import type { ObjectReference } from '../api/kinds/core-v1.ts';
import type { Event } from '../api/kinds/events-v1.ts';
import type { KubernetesObject } from '../api/object.ts';
import { eventsEventsV1 } from '../api/resources.ts';
import { isNotFound } from '../api/status-error.ts';
import { formatMicroTime } from '../api/time.ts';
import type { Random } from '../sim/random.ts';
import type { Client } from './client.ts';
import { eventNamer } from './event-name.ts';
import type { EventType } from './event-recorder.ts';
import { getReference } from './object-reference.ts';
import { sendWithRetries } from './serial-sender.ts';

export interface EventsV1RecorderOptions {
  readonly client: Client;
  /** e.g. `default-scheduler`. */
  readonly controller: string;
  /** `<controller>-<hostname>` in Kubernetes. */
  readonly instance: string;
}

export interface EventsV1 {
  readonly type: EventType;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly related?: KubernetesObject | ObjectReference;
}

interface Recorded {
  /** What is stored, or will be; a repeat turns it into a series. */
  event: Event;
  lastObserved: number;
  /** The series has been sent once. */
  isSeries: boolean;
}

/** client-go tools/events event_broadcaster.go */
const FINISH_TIME_MS = 6 * 60_000;
const REFRESH_TIME_MS = 30 * 60_000;

/**
 * Reports on objects by events of events.k8s.io/v1; a repeat turns the first event into a series. client-go tools/events EventRecorder and EventBroadcaster in one.
 * @example recorder.event(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', note: 'Successfully assigned default/web to n1' });
 */
export class EventsV1Recorder {
  readonly #options: EventsV1RecorderOptions;
  readonly #client: Client;
  readonly #random: Random;
  readonly #newName: (object: string) => string;
  readonly #cache = new Map<string, Recorded>();
  #flushing = false;

  constructor(options: EventsV1RecorderOptions) {
    this.#options = options;
    this.#client = options.client;
    const { actor } = options.client;
    this.#random = actor.simulation.random.fork(`event retries/${options.controller}/${options.instance}`);
    this.#newName = eventNamer(actor, options.controller);
  }

  event(regarding: KubernetesObject | ObjectReference, what: EventsV1): void {
    const event = this.#makeEvent(getReference(regarding), what);
    this.#start(() => this.#recordToSink(event));
  }

  /** Each event is sent by itself, whether others are under way or not: the goroutine of recordToSink. */
  #start(send: () => Promise<void> | void): void {
    const { actor } = this.#client;
    actor.schedule(0, send, { label: `${actor.name} events of ${this.#options.controller}` });
  }

  /** client-go tools/events recorderImpl.makeEvent */
  #makeEvent(regarding: ObjectReference, what: EventsV1): Event {
    const { controller, instance } = this.#options;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: this.#newName(regarding.name ?? ''), namespace: regarding.namespace || 'default' },
      eventTime: formatMicroTime(this.#client.actor.wallTime),
      reportingController: controller,
      reportingInstance: instance,
      action: what.action,
      reason: what.reason,
      regarding,
      ...(what.related ? { related: getReference(what.related) } : {}),
      note: what.note,
      type: what.type,
    };
  }

  /** client-go tools/events eventBroadcasterImpl.recordToSink */
  #recordToSink(event: Event): Promise<void> | undefined {
    const { simulation } = this.#client.actor;
    const key = eventKey(event);
    const known = this.#cache.get(key);
    if (!known) {
      this.#cache.set(key, { event, lastObserved: simulation.now, isSeries: false });
      this.#keepFlushing();
      return this.#send(key, event, false);
    }
    const series = { count: (known.event.series?.count ?? 1) + 1, lastObservedTime: formatMicroTime(this.#client.actor.wallTime) };
    known.event = { ...known.event, series };
    known.lastObserved = simulation.now;
    if (known.isSeries) return undefined;
    known.isSeries = true;
    return this.#send(key, known.event, true);
  }

  #send(key: string, event: Event, isPatch: boolean): Promise<void> {
    return sendWithRetries(
      this.#client.actor,
      async () => {
        const stored = await this.#store(event, isPatch);
        const known = this.#cache.get(key);
        if (known && !known.isSeries) known.event = stored;
      },
      this.#random.float(),
    );
  }

  async #store(event: Event, isPatch: boolean): Promise<Event> {
    const client = this.#client.resource(eventsEventsV1);
    if (isPatch) {
      const at = { namespace: event.metadata.namespace, name: event.metadata.name ?? '' };
      try {
        return await client.patch(at, { series: event.series }, { type: 'strategic' });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    const { resourceVersion: _, ...metadata } = event.metadata;
    return client.create({ ...event, metadata });
  }

  #keepFlushing(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    const flush = (): void => {
      this.#finishSeries();
      if (this.#cache.size > 0) this.#client.actor.schedule(FINISH_TIME_MS, flush, { priority: 'background' });
      else this.#flushing = false;
    };
    this.#client.actor.schedule(FINISH_TIME_MS, flush, { priority: 'background' });
  }

  /** client-go tools/events finishSeries and refreshExistingEventSeries: what was not seen again for a while is sent for the last time, and forgotten. */
  #finishSeries(): void {
    const { now } = this.#client.actor.simulation;
    for (const [key, known] of [...this.#cache]) {
      const quiet = now - known.lastObserved >= FINISH_TIME_MS;
      if (quiet) this.#cache.delete(key);
      if (known.isSeries && (quiet || isRefreshDue(now))) this.#start(() => this.#send(key, known.event, true));
    }
  }
}

function isRefreshDue(now: number): boolean {
  return now % REFRESH_TIME_MS < FINISH_TIME_MS;
}

/** client-go tools/events getKey: the note is not part of it. */
function eventKey(event: Event): string {
  const { action, reason, reportingController, reportingInstance, regarding, related, type } = event;
  return JSON.stringify([action, reason, reportingController, reportingInstance, regarding, related, type]);
}
