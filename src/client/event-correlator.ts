import type { Event } from '../api/kinds/core-v1.ts';
import { formatTime } from '../api/time.ts';
import { LruMap } from './lru.ts';
import { TokenBucket } from './rate-limiters.ts';

/** client-go tools/record events_cache.go defaults */
const CACHE_SIZE = 4096;
const AGGREGATE_MAX_EVENTS = 10;
const AGGREGATE_INTERVAL_MS = 600_000;
const SPAM_BURST = 25;
const SPAM_QPS = 1 / 300;

interface Aggregate {
  /** Mostly there is one. */
  messages: string | Set<string>;
  lastSeen: number;
}

interface Observation {
  readonly count: number;
  readonly firstTimestamp: string | undefined;
  readonly name: string;
}

/** What to do with an event: nothing, create it, or patch the one that it repeats. */
export type Correlated =
  | { readonly skip: true }
  | { readonly skip: false; readonly event: Event; readonly patch?: Pick<Event, 'count' | 'lastTimestamp' | 'message'> };

interface CorrelatorOptions {
  /** Virtual milliseconds since the start. */
  readonly now: () => number;
  /** The same on the wall. */
  readonly wallTime: () => number;
  readonly newName: (object: string) => string;
}

/**
 * Keeps a component from flooding the API with events: many alike become one, repeats raise a count, and an object may have only so many.
 * client-go tools/record EventCorrelator.
 */
export class EventCorrelator {
  readonly #options: CorrelatorOptions;
  readonly #aggregates = new LruMap<Aggregate>(CACHE_SIZE);
  readonly #observations = new LruMap<Observation>(CACHE_SIZE);
  readonly #buckets = new LruMap<TokenBucket>(CACHE_SIZE);

  constructor(options: CorrelatorOptions) {
    this.#options = options;
  }

  /** client-go tools/record EventCorrelator.EventCorrelate */
  eventCorrelate(event: Event): Correlated {
    const about = sourceAndObject(event);
    const { event: aggregated, key } = this.#eventAggregate(event, about);
    const before = this.#observations.get(key);
    const observed = before ? repeatOf(aggregated, before) : aggregated;
    this.#observe(key, observed);
    if (!this.#bucket(about, observed.type).tryAccept()) return { skip: true };
    if (!before) return { skip: false, event: observed };
    const { count, lastTimestamp, message } = observed;
    const patch = { ...(count ? { count } : {}), ...(lastTimestamp ? { lastTimestamp } : {}), ...(message ? { message } : {}) };
    return { skip: false, event: observed, patch };
  }

  /** The event was stored as `stored`: client-go tools/record EventCorrelator.UpdateState */
  updateState(stored: Event): void {
    this.#observe(eventKey(stored, sourceAndObject(stored)), stored);
  }

  /** client-go tools/record EventAggregator.EventAggregate */
  #eventAggregate(event: Event, about: string): { event: Event; key: string } {
    const { now, wallTime, newName } = this.#options;
    const key = aggregateKey(event, about);
    let record = this.#aggregates.get(key);
    const text = event.message ?? '';
    if (!record || now() - record.lastSeen > AGGREGATE_INTERVAL_MS) record = { messages: text, lastSeen: 0 };
    record.lastSeen = now();
    this.#aggregates.set(key, record);
    if (isOneOfFew(record, text)) return { event, key: eventKey(event, about) };
    const time = formatTime(wallTime());
    const metadata = {
      name: newName(event.involvedObject.name ?? ''),
      ...(event.metadata.namespace ? { namespace: event.metadata.namespace } : {}),
    };
    const message = `(combined from similar events): ${event.message ?? ''}`;
    return { event: { ...event, metadata, message, firstTimestamp: time, lastTimestamp: time, count: 1 }, key };
  }

  #observe(key: string, event: Event): void {
    this.#observations.set(key, { count: event.count ?? 1, firstTimestamp: event.firstTimestamp, name: event.metadata.name ?? '' });
  }

  /** client-go tools/record getSpamKey, with the type of the event. */
  #bucket(about: string, type = ''): TokenBucket {
    const key = [about, type].join('\n');
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = new TokenBucket({ qps: SPAM_QPS, burst: SPAM_BURST, now: this.#options.now });
      this.#buckets.set(key, bucket);
    }
    return bucket;
  }
}

/** Notes the message. When there are many, one is forgotten. */
function isOneOfFew(record: Aggregate, message: string): boolean {
  if (record.messages === message) return true;
  if (typeof record.messages === 'string') record.messages = new Set([record.messages]);
  record.messages.add(message);
  if (record.messages.size < AGGREGATE_MAX_EVENTS) return true;
  for (const any of record.messages) {
    record.messages.delete(any);
    break;
  }
  return false;
}

function repeatOf(event: Event, before: Observation): Event {
  return {
    ...event,
    metadata: { ...event.metadata, name: before.name },
    count: before.count + 1,
    ...(before.firstTimestamp ? { firstTimestamp: before.firstTimestamp } : {}),
  };
}

// Keys are joined, not concatenated: they are kept, and what V8 makes of a template is a chain of as many pieces.

function sourceAndObject({ source, involvedObject: object }: Event): string {
  return [source?.component, source?.host, object.kind, object.namespace, object.name, object.uid, object.apiVersion].join('\n');
}

/** client-go tools/record getEventKey */
function eventKey({ involvedObject, type, reason, message }: Event, about: string): string {
  return [about, involvedObject.fieldPath, type, reason, message].join('\n');
}

/** client-go tools/record EventAggregatorByReasonFunc */
function aggregateKey({ type, reason, reportingComponent, reportingInstance }: Event, about: string): string {
  return [about, type, reason, reportingComponent, reportingInstance].join('\n');
}
