import type { ConfigMap } from '../../src/api/kinds/core-v1.ts';
import { tryParseQuantity } from '../../src/api/quantity.ts';

/** The ConfigMaps with this label hold values. */
export const VALUES_LABEL = 'metrics-adapter';
export const VALUES_SELECTOR = `${VALUES_LABEL}=values`;

/** A value that somebody wrote down. */
export interface WrittenValue {
  readonly namespace: string;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  /** A quantity. */
  readonly value: string;
}

const SAMPLE = /^([a-zA-Z_:][\w:.-]*)(?:\{([^}]*)\})?\s+(\S+)$/;
const LABEL = /([a-zA-Z_][\w.-]*)="([^"]*)"/g;

/**
 * The values under `key` (`custom` or `external`) of a ConfigMap, one a line as in the text format of Prometheus, but that numbers may be quantities. What is no
 * sample is passed over.
 * @example valuesIn({ data: { external: 'queue_length{queue="orders"} 120' } }, 'external')
 */
export function valuesIn({ metadata, data }: ConfigMap, key: 'custom' | 'external'): WrittenValue[] {
  const lines = (data?.[key] ?? '').split('\n');
  return lines.flatMap((line) => {
    const [, metric, text = '', value] = SAMPLE.exec(line.trim()) ?? [];
    if (metric === undefined || value === undefined || !tryParseQuantity(value)) return [];
    const labels = Object.fromEntries([...text.matchAll(LABEL)].map(([, name = '', label = '']) => [name, label]));
    return [{ namespace: metadata.namespace ?? '', metric, labels, value }];
  });
}
