import type { CloudConfig } from '../cluster/config.ts';
import type { DocumentReader } from './document-reader.ts';

/** Reads `cloud: { zones: [zone-a, zone-b], instanceType: m5.large }`. @throws DocumentError */
export function readCloud(reader: DocumentReader): CloudConfig {
  reader.onlyFields(['zones', 'region', 'instanceType', 'latency', 'loadBalancers']);
  const zones = reader.field('zones');
  const latency = reader.field('latency');
  const loadBalancers = reader.field('loadBalancers');
  const texts = (['region', 'instanceType'] as const).filter((name) => reader.field(name).exists);
  return {
    ...(zones.exists ? { zones: zones.items().map((zone) => zone.string()) } : {}),
    ...Object.fromEntries(texts.map((name) => [name, reader.field(name).string()])),
    ...(latency.exists ? { latencyMs: latency.duration() } : {}),
    ...(loadBalancers.exists ? { loadBalancers: loadBalancers.oneOf(['ip', 'hostname']) } : {}),
  };
}
