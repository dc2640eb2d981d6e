import { ADDON_NAMES, type Addons } from '../cluster/addons.ts';
import type { DocumentReader } from './document-reader.ts';

/** Reads `addons: { database-operator: { replicas: 2 } }`; an addon without anything to say about it may be left empty. @throws DocumentError */
export function readAddons(reader: DocumentReader): Addons {
  reader.onlyFields(ADDON_NAMES);
  return Object.fromEntries(reader.fieldNames().map((name) => [name, readAddon(reader.field(name), name)])) as Addons;
}

/** The fields of each addon, all of them whole numbers of 1 or more. */
const FIELDS: Readonly<Record<keyof Addons, readonly string[]>> = {
  'csi-driver': ['maxVolumesPerNode'],
  'database-operator': ['replicas'],
  metacontroller: [],
  'metrics-server': [],
  'metrics-adapter': [],
};

function readAddon(reader: DocumentReader, name: string): object {
  if (!reader.exists) return {};
  reader.onlyFields(FIELDS[name as keyof Addons]);
  return Object.fromEntries(reader.fieldNames().map((field) => [field, readCount(reader.field(field))]));
}

function readCount(reader: DocumentReader): number {
  const count = reader.number();
  if (!Number.isInteger(count) || count < 1) reader.fail('expected how many: a whole number, 1 or more');
  return count;
}
