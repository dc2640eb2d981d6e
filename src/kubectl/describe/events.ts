import { humanDuration } from '../../api/human-duration.ts';
import type { Event } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { events } from '../../api/resources.ts';
import { parseTime } from '../../api/time.ts';
import type { CommandContext } from '../command.ts';
import type { DescribeWriter } from './describe-writer.ts';

/** The events about an object, in the order of their last time; those without one come first. kubectl pkg/describe DescribeEvents */
export async function describeEvents(context: CommandContext, writer: DescribeWriter, object: KubernetesObject): Promise<void> {
  if (context.flags.string('show-events') === 'false') return;
  const found = await eventsAbout(context, object);
  if (found.length === 0) return writer.field(0, 'Events', '<none>');
  const now = context.client.actor.simulation.wallTime;
  writer.line(0, 'Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------');
  for (const event of found) {
    const from = event.source?.component || event.reportingComponent || '';
    writer.line(1, `${event.type}\t${event.reason}\t${eventAge(event, now)}\t${from}\t${(event.message ?? '').trim()}`);
  }
}

async function eventsAbout(context: CommandContext, { kind = '', metadata }: KubernetesObject): Promise<Event[]> {
  const { name = '', namespace, uid = '' } = metadata;
  const client = context.client.resource(events);
  const selector = `involvedObject.name=${name}${namespace ? `,involvedObject.namespace=${namespace}` : ''}`;
  const ofKind = kind === 'Pod' ? '' : `,involvedObject.kind=${kind}`;
  const lists = await Promise.all(
    // The events that a kubelet writes about its node have the node's name for a uid.
    (kind === 'Node' ? [uid, name] : [uid]).map((each) =>
      client.list({ namespace, fieldSelector: `${selector},involvedObject.uid=${each}${ofKind}` }),
    ),
  );
  return lists
    .flatMap(({ items }) => items)
    .map((event, index) => ({ event, index, last: event.lastTimestamp ? (parseTime(event.lastTimestamp) ?? 0) : 0 }))
    .sort((a, b) => a.last - b.last || a.index - b.index)
    .map(({ event }) => event);
}

/** `5s (x3 over 2m)`: kubectl pkg/describe DescribeEvents */
export function eventAge({ eventTime, firstTimestamp, lastTimestamp, series, count = 0 }: Event, now: number): string {
  const since = (time: string | undefined | null): string => {
    const ms = time ? parseTime(time) : undefined;
    return ms === undefined ? '<unknown>' : humanDuration(now - ms);
  };
  const first = since(firstTimestamp ?? eventTime);
  if (series) return `${since(series.lastObservedTime)} (x${series.count ?? 0} over ${first})`;
  return count > 1 ? `${since(lastTimestamp)} (x${count} over ${first})` : first;
}
