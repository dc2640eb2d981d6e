import { base64Error } from '../../base64.ts';
import {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  maskTrailingDash,
} from '../../validation/content.ts';
import { global, member, type Overload } from '../functions.ts';
import { CelError, OpaqueValue, OptionalValue, type Value } from '../values.ts';
import { comparisons } from './kubernetes.ts';
import { parseTimestamp } from './time.ts';

type Check = (text: string) => readonly string[];

/** `format.dns1123Label()` */
class FormatValue extends OpaqueValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly check: Check;

  constructor(name: string, check: Check) {
    super();
    this.name = name;
    this.check = check;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

const masked =
  (check: Check): Check =>
  (text) =>
    check(maskTrailingDash(text));
const when =
  (holds: (text: string) => boolean, problem: string): Check =>
  (text) =>
    holds(text) ? [] : [problem];

const CHECKS: Readonly<Record<string, Check>> = {
  dns1123Label: isDNS1123Label,
  dns1123Subdomain: isDNS1123Subdomain,
  dns1035Label: isDNS1035Label,
  qualifiedName: isQualifiedName,
  dns1123LabelPrefix: masked(isDNS1123Label),
  dns1123SubdomainPrefix: masked(isDNS1123Subdomain),
  dns1035LabelPrefix: masked(isDNS1035Label),
  labelValue: isValidLabelValue,
  uri: when((text) => /^(?:\/|[a-zA-Z][\w+.-]*:)\S*$/.test(text), 'invalid URI'),
  uuid: when((text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text), 'does not match the UUID format'),
  byte: when((text) => base64Error(text) === undefined, 'invalid base64'),
  date: when((text) => parseTimestamp(`${text}T00:00:00Z`) !== undefined, 'invalid date'),
  datetime: when((text) => parseTimestamp(text) !== undefined, 'invalid datetime'),
};

const FORMATS = new Map(Object.entries(CHECKS).map(([name, check]) => [name, new FormatValue(name, check)]));

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** `semver('1.2.3')` */
class SemverValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Semver';
  readonly parts: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(parts: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.parts = parts;
    this.prerelease = prerelease;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && this.compare(other) === 0;
  }

  compare(other: SemverValue): number {
    for (const [index, part] of this.parts.entries()) {
      const against = other.parts[index] ?? 0n;
      if (part !== against) return part < against ? -1 : 1;
    }
    if (this.prerelease.length === 0 || other.prerelease.length === 0) return Math.sign(other.prerelease.length - this.prerelease.length);
    for (const [index, part] of this.prerelease.entries()) {
      const order = comparePrerelease(part, other.prerelease[index]);
      if (order !== 0) return order;
    }
    return this.prerelease.length < other.prerelease.length ? -1 : 0;
  }
}

function comparePrerelease(a: string, b: string | undefined): number {
  if (b === undefined) return 1;
  if (a === b) return 0;
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Versions may leave parts out, begin with `v`, and have zeros in front. */
function normalized(text: string): string {
  const [, core = '', rest = ''] = /^v?([\d.]*)(.*)$/.exec(text.trim()) ?? [];
  const parts = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}

function parseSemver(text: string, normalize = false): SemverValue | undefined {
  const match = SEMVER.exec(normalize ? normalized(text) : text);
  if (!match) return undefined;
  return new SemverValue(match.slice(1, 4).map(BigInt), match[4]?.split('.') ?? []);
}

export function semverOf(text: string, normalize = false): SemverValue {
  const found = parseSemver(text, normalize);
  if (!found) throw new CelError(`Invalid semantic version: ${JSON.stringify(text)}`);
  return found;
}

const part =
  (index: number): ((version: SemverValue) => bigint) =>
  (version) =>
    version.parts[index] ?? 0n;

/** Named formats and semantic versions. apiserver pkg/cel/library Format, SemverLib */
export const FORMAT_LIBRARY: readonly Overload[] = [
  ...[...FORMATS].map(([name, format]) => global(`format.${name}`, '-> kubernetes.NamedFormat', () => format)),
  global('format.named', 'string -> optional<kubernetes.NamedFormat>', (name: string) => {
    const found: Value | undefined = FORMATS.get(name);
    return found === undefined ? OptionalValue.NONE : new OptionalValue(found);
  }),
  member('validate', 'kubernetes.NamedFormat, string -> optional<list<string>>', ({ check }: FormatValue, text: string) => {
    const problems = check(text);
    return problems.length > 0 ? new OptionalValue([...problems]) : OptionalValue.NONE;
  }),
  global('semver', 'string -> kubernetes.Semver', (text: string) => semverOf(text)),
  global('semver', 'string, bool -> kubernetes.Semver', semverOf),
  global('isSemver', 'string -> bool', (text: string) => parseSemver(text) !== undefined),
  global('isSemver', 'string, bool -> bool', (text: string, normalize: boolean) => parseSemver(text, normalize) !== undefined),
  member('major', 'kubernetes.Semver -> int', part(0)),
  member('minor', 'kubernetes.Semver -> int', part(1)),
  member('patch', 'kubernetes.Semver -> int', part(2)),
  ...comparisons('kubernetes.Semver', (a: SemverValue, b: SemverValue) => a.compare(b)),
];
