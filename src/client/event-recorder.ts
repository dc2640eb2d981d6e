import type { Event, ObjectReference } from '../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../api/object.ts';
import { events } from '../api/resources.ts';
import { isNotFound } from '../api/status-error.ts';
import { formatTime } from '../api/time.ts';
import type { Random } from '../sim/random.ts';
import type { Client } from './client.ts';
import { EventCorrelator } from './event-correlator.ts';
import { eventNamer } from './event-name.ts';
import { getReference } from './object-reference.ts';
import { SerialSender, sendWithRetries } from './serial-sender.ts';

/** How bad it is. */
export type EventType = 'Normal' | 'Warning';

/** Who reports, and by which client. */
export interface EventRecorderOptions {
  readonly client: Client;
  /** The source of the events, e.g. `deployment-controller`. */
  readonly component: string;
  /** The node, for components that run on one. */
  readonly host?: string;
}

/** More about an event. */
export interface EventOptions {
  /** Which part of the object, e.g. `spec.containers{web}`. */
  readonly fieldPath?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What an event says, in the order of client-go's `Event` and `Eventf`. */
export type EventArguments = readonly [
  object: KubernetesObject | ObjectReference,
  type: EventType,
  reason: string,
  message: string,
  options?: EventOptions,
];

/** client-go tools/record maxQueuedEvents */
const MAX_QUEUED_EVENTS = 1000;

/**
 * Reports on objects by events (core/v1), as client-go does: in order, without making the caller wait, many alike combined, repeats counted.
 * client-go tools/record EventRecorder, EventBroadcaster and EventCorrelator in one.
 * @example recorder.event(deployment, 'Normal', 'ScalingReplicaSet', 'Scaled up replica set web-5d8 from 0 to 3');
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #client: Client;
  readonly #random: Random;
  readonly #newName: (object: string) => string;
  readonly #correlator: EventCorrelator;
  readonly #sender: SerialSender<Event>;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#client = options.client;
    const { actor } = options.client;
    const { simulation } = actor;
    this.#random = simulation.random.fork(`event retries/${options.component}/${options.host ?? ''}`);
    this.#newName = eventNamer(actor, options.component);
    this.#correlator = new EventCorrelator({
      now: () => simulation.now,
      wallTime: () => this.#client.actor.wallTime,
      newName: this.#newName,
    });
    this.#sender = new SerialSender({
      actor,
      label: `${actor.name} events of ${options.component}`,
      limit: MAX_QUEUED_EVENTS,
      send: (event) => this.#recordToSink(event),
    });
  }

  /** Reports on an object, or what a reference names: type, reason, message. */
  event(...[object, type, reason, message, options = {}]: EventArguments): void {
    this.#sender.push(this.#makeEvent(getReference(object), { type, reason, message }, options));
  }

  /** client-go tools/record makeEvent */
  #makeEvent(reference: ObjectReference, what: { type: EventType; reason: string; message: string }, options: EventOptions): Event {
    const { component, host = '' } = this.#options;
    const time = formatTime(this.#client.actor.wallTime);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: this.#newName(reference.name ?? ''),
        namespace: reference.namespace || 'default',
        ...(options.annotations ? { annotations: { ...options.annotations } } : {}),
      },
      involvedObject: options.fieldPath ? { ...reference, fieldPath: options.fieldPath } : reference,
      reason: what.reason,
      message: what.message,
      source: { component, ...(host ? { host } : {}) },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type: what.type,
      reportingComponent: component,
      reportingInstance: host,
    };
  }

  /** client-go tools/record recordToSink */
  #recordToSink(event: Event): Promise<void> | undefined {
    const result = this.#correlator.eventCorrelate(event);
    if (result.skip) return undefined;
    return sendWithRetries(
      this.#client.actor,
      async () => this.#correlator.updateState(await this.#store(result.event, result.patch)),
      this.#random.float(),
    );
  }

  async #store(event: Event, patch: object | undefined): Promise<Event> {
    const client = this.#client.resource(events);
    if (patch) {
      try {
        return await client.patch({ namespace: event.metadata.namespace, name: event.metadata.name ?? '' }, patch, { type: 'strategic' });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return client.create(event);
  }
}
