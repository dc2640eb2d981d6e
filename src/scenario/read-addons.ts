import { ADDON_NAMES, type Addons } from '../cluster/addons.ts';
import type { DocumentReader } from './document-reader.ts';

/** Reads `addons: { database-operator: { replicas: 2 } }`; an addon without anything to say about it may be left empty. @throws DocumentError */
export function readAddons(reader: DocumentReader): Addons {
  reader.onlyFields(ADDON_NAMES);
  return Object.fromEntries(reader.fieldNames().map((name) => [name, readAddon(reader.field(name))])) as Addons;
}

function readAddon(reader: DocumentReader): object {
  if (!reader.exists) return {};
  reader.onlyFields(reader.path.endsWith('database-operator') ? ['replicas'] : []);
  const replicas = reader.field('replicas');
  if (!replicas.exists) return {};
  const count = replicas.number();
  if (!Number.isInteger(count) || count < 1) replicas.fail('expected how many: a whole number, 1 or more');
  return { replicas: count };
}
