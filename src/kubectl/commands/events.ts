import type { Event } from '../../api/kinds/core-v1.ts';
import { events as eventsResource } from '../../api/resources.ts';
import { parseTime } from '../../api/time.ts';
import type { Command, CommandContext } from '../command.ts';
import { eventAge } from '../describe/events.ts';
import { KubectlError } from '../kubectl-error.ts';
import { printValue } from '../output.ts';
import { namedObjects } from '../rest-mapper.ts';

/** kubectl events: the events of a namespace, or about one object, oldest first. */
export const events: Command = {
  flags: {
    for: { type: 'string' },
    types: { type: 'list' },
    'all-namespaces': { type: 'boolean', short: 'A' },
    'no-headers': { type: 'boolean' },
    output: { type: 'string', short: 'o' },
  },
  async run(context) {
    const { flags, client, namespace } = context;
    const types = flags.list('types');
    if (types.some((type) => !['normal', 'warning'].includes(type.toLowerCase())))
      throw new KubectlError('error: valid --types are Normal or Warning');
    const everywhere = flags.boolean('all-namespaces');
    const { items } = await client.resource(eventsResource).list({ ...(everywhere ? {} : { namespace }), ...(await about(context)) });
    const wanted = items.filter(({ type = '' }) => !types.length || types.some((each) => each.toLowerCase() === type.toLowerCase()));
    if (!wanted.length) return context.warn(everywhere ? 'No events found.' : `No events found in ${namespace} namespace.`);
    const sorted = wanted
      .map((event, index) => ({ event, index }))
      .sort((a, b) => lastTime(a.event) - lastTime(b.event) || a.index - b.index)
      .map(({ event }) => event);
    const output = flags.string('output');
    if (output) return printValue(context, output, { value: { apiVersion: 'v1', items: sorted, kind: 'List', metadata: {} } });
    printEvents(context, sorted, everywhere);
  },
};

async function about({ flags, client }: CommandContext): Promise<{ fieldSelector?: string }> {
  const target = flags.string('for');
  if (target === undefined) return {};
  if (!target.includes('/')) throw new KubectlError('error: --for must be in resource/name form');
  const [named] = await namedObjects(client, [target]);
  return { fieldSelector: `involvedObject.kind=${named?.resource.kind},involvedObject.name=${named?.name}` };
}

function lastTime({ series, lastTimestamp, eventTime, firstTimestamp }: Event): number {
  return parseTime(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp) ?? 0;
}

function printEvents(context: CommandContext, list: readonly Event[], namespaces: boolean): void {
  const now = context.client.actor.simulation.wallTime;
  const rows = list.map((event) => [
    ...(namespaces ? [event.metadata.namespace ?? ''] : []),
    eventAge(event, now),
    event.type ?? '',
    event.reason ?? '',
    `${event.involvedObject.kind}/${event.involvedObject.name}`,
    (event.message ?? '').trim(),
  ]);
  const head = [...(namespaces ? ['NAMESPACE'] : []), 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'];
  const lines = context.flags.boolean('no-headers') ? rows : [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines)
    context.out(line.map((cell, column) => (column === line.length - 1 ? cell : cell.padEnd((widths[column] ?? 0) + 3))).join(''));
}
