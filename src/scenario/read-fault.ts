import type { Fault } from '../cluster/faults.ts';
import type { DocumentReader } from './document-reader.ts';

const FAULTS = [
  'crash',
  'restart',
  'pause',
  'resume',
  'stop-node',
  'start-node',
  'partition',
  'heal',
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
    case 'stop-node':
    case 'start-node':
      return { fault, node: body.string() };
    case 'partition':
    case 'heal':
      return { fault, target: body.string() };
    case 'delay-watch':
      body.onlyFields(['component', 'time']);
      return { fault, component: body.field('component').string(), ms: body.field('time').duration() };
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
