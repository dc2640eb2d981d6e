import type { Event } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isQualifiedName, isValidPathSegmentName } from '../../../../src/api/validation/content.ts';
import { invalid, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';

/** kubernetes pkg/registry/core/event; the same objects are served by events.k8s.io. */
export const eventRules: KindRules<Event> = {
  validateName: isValidPathSegmentName,
  validate: (event, { resource }) => validateEvent(event, resource.group === 'events.k8s.io'),
  validateUpdate: (event, _old, { resource }) => validateLegacy(event, resource.group === 'events.k8s.io'),
};

/** Events are about namespaced objects of their namespace, or about cluster-scoped ones from the default namespace. */
function validateLegacy({ metadata, involvedObject }: Event, viaNewGroup: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const field = viaNewGroup ? 'regarding.namespace' : 'involvedObject.namespace';
  const about = involvedObject?.namespace ?? '';
  const own = metadata.namespace ?? '';
  if (about === '') {
    if (own !== '' && own !== 'default') errors.push(invalid(field, about, 'does not match event.namespace'));
  } else if (about !== own) errors.push(invalid(field, about, 'does not match event.namespace'));
  return errors;
}

/** kubernetes pkg/apis/core/validation ValidateEventCreate: events with eventTime have to be complete. */
function validateEvent(event: Event, viaNewGroup: boolean): FieldError[] {
  const errors = validateLegacy(event, viaNewGroup);
  if (!event.eventTime && !viaNewGroup) return errors;
  if (!event.eventTime) errors.push(required('eventTime'));
  if (viaNewGroup && event.type !== 'Normal' && event.type !== 'Warning')
    errors.push(invalid('type', '', `has invalid value: ${event.type ?? ''}`));
  if (!event.eventTime) return errors;
  const controller = viaNewGroup ? 'reportingController' : 'reportingComponent';
  if (!event.reportingComponent) errors.push(required(controller));
  report(errors, { path: controller, value: event.reportingComponent ?? '' }, isQualifiedName(event.reportingComponent ?? ''));
  limited(errors, 'reportingInstance', { text: event.reportingInstance, needed: true, limit: 128 });
  limited(errors, 'action', { text: event.action, needed: true, limit: 128 });
  limited(errors, 'reason', { text: event.reason, needed: true, limit: 128 });
  limited(errors, 'message', { text: event.message, needed: false, limit: 1024 });
  if (viaNewGroup) validateDeprecated(errors, event);
  return errors;
}

function limited(
  errors: FieldError[],
  path: string,
  { text, needed, limit }: { text: string | undefined; needed: boolean; limit: number },
): void {
  if (needed && !text) errors.push(required(path));
  if ((text?.length ?? 0) > limit) errors.push(invalid(path, '', `can have at most ${limit} characters`));
}

/** Fields of the old API stay empty in the new one. */
function validateDeprecated(errors: FieldError[], event: Event): void {
  const text = 'needs to be unset';
  if (event.firstTimestamp) errors.push(invalid('firstTimestamp', '', text));
  if (event.lastTimestamp) errors.push(invalid('lastTimestamp', '', text));
  if (event.count) errors.push(invalid('count', '', text));
  if (event.source?.component || event.source?.host) errors.push(invalid('source', '', text));
}
