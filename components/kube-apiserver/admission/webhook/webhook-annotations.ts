import type { RequestContext } from '../../request-context.ts';
import type { Hook } from './webhook-configurations.ts';

/** What a webhook wants to be read in the audit log, under its name. */
export function annotate({ stages }: RequestContext, { webhook }: Hook, annotations: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(annotations)) stages.annotate(`${webhook.name}/${key}`, value);
}
