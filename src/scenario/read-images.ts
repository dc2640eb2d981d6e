import type { ImageDefinition } from '../../components/containerd/image-definition.ts';
import type { DocumentReader } from './document-reader.ts';

const FIELDS = [
  'name',
  'program',
  'pull',
  'startDelay',
  'exit',
  'ports',
  'logs',
  'health',
  'ignoresSigterm',
  'stop',
  'cpuMilli',
  'cpuPerRequest',
  'memoryBytes',
  'diskBytes',
  'processes',
];

/** Reads the `images` of a scenario: how images behave that the catalogue does not know, or otherwise than it says. @throws DocumentError */
export function readImages(reader: DocumentReader): ImageDefinition[] {
  return reader.items().map((image) => {
    image.onlyFields(FIELDS);
    const given = (name: string): boolean => image.field(name).exists;
    return {
      name: image.field('name').string(),
      ...(given('program') ? { program: image.field('program').string() } : {}),
      ...(given('pull') ? { pull: readPull(image.field('pull')) } : {}),
      ...(given('startDelay') ? { startDelayMs: image.field('startDelay').duration() } : {}),
      ...(given('exit') ? { exit: readExit(image.field('exit')) } : {}),
      ...(given('ports')
        ? {
            ports: image
              .field('ports')
              .items()
              .map((port) => port.number()),
          }
        : {}),
      ...(given('logs')
        ? {
            logs: image
              .field('logs')
              .items()
              .map((line) => line.text()),
          }
        : {}),
      ...(given('health') ? { health: image.field('health').items().map(readHealth) } : {}),
      ...(given('ignoresSigterm') ? { ignoresSigterm: image.field('ignoresSigterm').boolean() } : {}),
      ...(given('stop') ? { stopMs: image.field('stop').duration() } : {}),
      ...(given('cpuMilli') ? { cpuMilli: image.field('cpuMilli').number() } : {}),
      ...(given('cpuPerRequest') ? { cpuPerRequestMs: image.field('cpuPerRequest').duration() } : {}),
      ...(given('diskBytes') ? { diskBytes: image.field('diskBytes').number() } : {}),
      ...(given('processes') ? { processes: image.field('processes').number() } : {}),
      ...(given('memoryBytes') ? { memoryBytes: image.field('memoryBytes').number() } : {}),
    };
  });
}

function readPull(reader: DocumentReader): { ms?: number; error?: string } {
  reader.onlyFields(['time', 'error']);
  const [time, error] = [reader.field('time'), reader.field('error')];
  return { ...(time.exists ? { ms: time.duration() } : {}), ...(error.exists ? { error: error.string() } : {}) };
}

function readExit(reader: DocumentReader): { afterMs: number; code: number } {
  reader.onlyFields(['after', 'code']);
  return { afterMs: reader.field('after').duration(), code: reader.field('code').number() };
}

function readHealth(reader: DocumentReader): { fromMs: number; healthy: boolean } {
  reader.onlyFields(['from', 'healthy']);
  return { fromMs: reader.field('from').duration(), healthy: reader.field('healthy').boolean() };
}
