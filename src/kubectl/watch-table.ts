import type { KubernetesObject } from '../api/object.ts';
import { type CommandContext, placeOf } from './command.ts';
import { columnsOf, fetchTable, selectors } from './commands/get.ts';
import { errorText } from './kubectl-error.ts';
import type { Named } from './rest-mapper.ts';
import { printTable } from './table.ts';

/**
 * `-w`: a row for each change, until the command is interrupted. Differs: the real kubectl gets rows in its watch; here each changed object is asked for its row,
 * which is as new as the answer.
 */
export async function watchTable(context: CommandContext, named: Named, wide: boolean): Promise<void> {
  const { resource, name } = named;
  const { simulation } = context.client.actor;
  const namespace = context.flags.boolean('all-namespaces') ? undefined : placeOf(context, resource, '').namespace;
  const scope = { namespace, ...selectors(context), ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }) };
  const client = context.client.resource(resource);
  const { metadata } = await client.list(scope);
  const changed: KubernetesObject[] = [];
  let wake: () => void = () => {};
  let over = false;
  const rouse = (): void => simulation.resolve(() => wake(), undefined);
  const handle = await client.watch(
    { ...scope, ...(metadata.resourceVersion ? { resourceVersion: metadata.resourceVersion } : {}) },
    {
      next({ type, object }) {
        if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return;
        changed.push(object as KubernetesObject);
        rouse();
      },
      end() {
        over = true;
        rouse();
      },
    },
  );
  context.interrupt.listen(rouse);
  while (!context.interrupt.raised && !over) {
    const object = changed.shift();
    if (object) await printRow(context, { named, object, wide });
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  handle.stop();
}

async function printRow(
  context: CommandContext,
  { named, object, wide }: { named: Named; object: KubernetesObject; wide: boolean },
): Promise<void> {
  const everywhere = context.flags.boolean('all-namespaces') && named.resource.namespaced;
  try {
    const own = { ...context, namespace: object.metadata.namespace ?? context.namespace, flags: context.flags.without('all-namespaces') };
    const table = await fetchTable(own, { resource: named.resource, name: object.metadata.name ?? '' });
    for (const line of printTable(table, { wide, prefix: '', namespaces: everywhere, ...columnsOf(context), headings: false }))
      context.out(line);
  } catch (error) {
    // It is gone already: there is no row for it any more.
    if (!errorText(error).includes('(NotFound)')) throw error;
  }
}
