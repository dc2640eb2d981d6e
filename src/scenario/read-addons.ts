import { ADDON_NAMES, type Addons } from '../cluster/addons.ts';
import type { DocumentReader } from './document-reader.ts';
import { readAws } from './read-aws.ts';

/** Reads `addons: { database-operator: { replicas: 2 } }`; an addon without anything to say about it may be left empty. @throws DocumentError */
export function readAddons(reader: DocumentReader): Addons {
  reader.onlyFields(ADDON_NAMES);
  return Object.fromEntries(reader.fieldNames().map((name) => [name, readAddon(reader.field(name), name)])) as Addons;
}

/** The fields of each addon, all of them whole numbers; `aws` has others. */
const FIELDS: Readonly<Record<Exclude<keyof Addons, 'aws'>, readonly string[]>> = {
  'csi-driver': ['maxVolumesPerNode'],
  'snapshot-controller': [],
  'database-operator': ['replicas'],
  metacontroller: [],
  'metrics-server': [],
  'metrics-adapter': [],
  eks: [],
  'amazon-vpc-cni': ['warmEniTarget', 'warmIpTarget', 'minimumIpTarget', 'maxEni', 'ipCooldownPeriod'],
  'aws-ebs-csi-driver': [],
  'aws-load-balancer-controller': [],
  'ack-s3-controller': [],
  'amazon-eks-pod-identity-webhook': [],
};
/** Those of which there may be none. */
const MAY_BE_ZERO = new Set(['warmEniTarget', 'warmIpTarget', 'minimumIpTarget', 'ipCooldownPeriod']);

function readAddon(reader: DocumentReader, name: string): object {
  if (!reader.exists) return {};
  if (name === 'aws') return readAws(reader);
  reader.onlyFields(FIELDS[name as keyof typeof FIELDS]);
  return Object.fromEntries(reader.fieldNames().map((field) => [field, readCount(reader.field(field), MAY_BE_ZERO.has(field) ? 0 : 1)]));
}

function readCount(reader: DocumentReader, min: number): number {
  const count = reader.number();
  if (!Number.isInteger(count) || count < min) reader.fail(`expected how many: a whole number, ${min} or more`);
  return count;
}
