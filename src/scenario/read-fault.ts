import { parseDuration } from '../api/time.ts';
import type { Fault } from '../cluster/faults.ts';
import { NODE_FAULTS } from '../cluster/node-faults.ts';
import type { DocumentReader } from './document-reader.ts';

const FAULTS = [
  'crash',
  'crash-at',
  'restart',
  'pause',
  'resume',
  'stop-node',
  'start-node',
  ...NODE_FAULTS,
  'cloud-refuses',
  'partition',
  'heal',
  'slow-network',
  'apiserver-outage',
  'overload-apiserver',
  'delay-watch',
  'drop-watch-event',
] as const;

/** Reads a fault: `{ crash: kube-scheduler }`, `{ stop-node: n1 }`, `{ delay-watch: { component: kube-scheduler, time: 5s } }`. @throws DocumentError */
export function readFault(reader: DocumentReader): Fault {
  reader.onlyFields(FAULTS);
  const fault = FAULTS.find((name) => reader.field(name).exists);
  if (!fault) reader.fail(`expected one of ${FAULTS.join(', ')}`);
  const body = reader.field(fault);
  switch (fault) {
    case 'crash':
    case 'restart':
    case 'pause':
    case 'resume':
      return { fault, component: body.string() };
    case 'shutdown-node':
    case 'stop-node':
    case 'start-node':
    case 'remove-cni-config':
    case 'restore-cni-config':
      return { fault, node: body.string() };
    case 'break-gpu':
    case 'mend-gpu':
      body.onlyFields(['node', 'gpu']);
      return { fault, node: body.field('node').string(), gpu: body.field('gpu').number() };
    case 'fill-disk':
    case 'fill-pids':
      body.onlyFields(['node', 'percent']);
      return { fault, node: body.field('node').string(), percent: body.field('percent').number() };
    case 'skew-clock':
      body.onlyFields(['node', 'time']);
      return { fault, node: body.field('node').string(), ms: signedDuration(body.field('time')) };
    case 'registry-down':
    case 'registry-up':
      return { fault, registry: body.string() };
    case 'cloud-refuses': {
      body.onlyFields(['method', 'message']);
      const message = body.field('message');
      return { fault, method: body.field('method').string(), ...(message.exists ? { message: message.string() } : {}) };
    }
    case 'partition':
    case 'heal':
      return { fault, target: body.string() };
    case 'slow-network':
      body.onlyFields(['target', 'time']);
      return { fault, target: body.field('target').string(), ms: body.field('time').duration() };
    case 'apiserver-outage':
      return { fault, ms: body.duration() };
    case 'overload-apiserver':
      return { fault, ...readOverload(body) };
    case 'delay-watch':
      body.onlyFields(['component', 'time']);
      return { fault, component: body.field('component').string(), ms: body.field('time').duration() };
    case 'crash-at':
      return { fault, ...readCrashAt(body) };
    case 'drop-watch-event': {
      body.onlyFields(['component', 'kind', 'name', 'type']);
      const texts = Object.fromEntries(
        (['kind', 'name'] as const).filter((name) => body.field(name).exists).map((name) => [name, body.field(name).string()]),
      );
      const type = body.field('type');
      return {
        fault,
        component: body.field('component').string(),
        ...texts,
        ...(type.exists ? { type: type.oneOf(['ADDED', 'MODIFIED', 'DELETED']) } : {}),
      };
    }
  }
}

/** `{ component: database-operator-1, verb: create, resource: services }`: it crashes when that is answered; with `when: unsent`, before it asks. */
function readCrashAt(body: DocumentReader): Omit<Fault & { fault: 'crash-at' }, 'fault'> {
  body.onlyFields(['component', 'verb', 'resource', 'subresource', 'when']);
  const subresource = body.field('subresource');
  const when = body.field('when');
  return {
    component: body.field('component').string(),
    verb: body.field('verb').oneOf(['create', 'update', 'patch', 'delete']),
    resource: body.field('resource').string(),
    ...(subresource.exists ? { subresource: subresource.string() } : {}),
    ...(when.exists ? { when: when.oneOf(['unsent', 'answered']) } : {}),
  };
}

/** `{ share: 80% }`: that part of all requests that have limits; with `priority-level` only those of that level. */
function readOverload(body: DocumentReader): Omit<Fault & { fault: 'overload-apiserver' }, 'fault'> {
  body.onlyFields(['share', 'priority-level']);
  const share = body.field('share');
  const percent = /^(\d{1,2}|100)%$/.exec(share.string())?.[1];
  if (percent === undefined) share.fail('expected a percentage, such as 80%');
  const level = body.field('priority-level');
  return { share: Number(percent) / 100, ...(level.exists ? { priorityLevel: level.string() } : {}) };
}

/** A time, or one with a minus: `-5m`. */
function signedDuration(reader: DocumentReader): number {
  return parseDuration(reader.text()) ?? reader.duration();
}
