// Rules for names, labels and other short texts, with the API's own words. Each check returns what is wrong, [] when nothing is.

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED_NAME})?`;
const CONFIG_KEY = '[-._a-zA-Z0-9]+';

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const LABEL_REGEX = whole(LABEL);
const SUBDOMAIN_REGEX = whole(SUBDOMAIN);
const LABEL_1035_REGEX = whole(LABEL_1035);
const QUALIFIED_NAME_REGEX = whole(QUALIFIED_NAME);
const LABEL_VALUE_REGEX = whole(LABEL_VALUE);
const CONFIG_KEY_REGEX = whole(CONFIG_KEY);

/** apimachinery util/validation RegexError: `<message> (e.g. 'a',  or 'b', regex used for validation is '<pattern>')` */
export function regexError(message: string, pattern: string, ...examples: string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}

/** apimachinery util/validation MaxLenError */
export function maxLengthError(length: number): string {
  return `must be no more than ${length} characters`;
}

const LABEL_ERROR = regexError(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL,
  'my-name',
  '123-abc',
);
const SUBDOMAIN_ERROR = regexError(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN,
  'example.com',
);
const LABEL_1035_ERROR = regexError(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  LABEL_1035,
  'my-name',
  'abc-123',
);
const LABEL_VALUE_ERROR = regexError(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_VALUE,
  'MyValue',
  'my_value',
  '12345',
);
const NAME_PART_ERROR = regexError(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  QUALIFIED_NAME,
  'MyName',
  'my.name',
  '123-abc',
);
const CONFIG_KEY_ERROR = regexError(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  CONFIG_KEY,
  'key.name',
  'KEY_NAME',
  'key-name',
);

const NONE: readonly string[] = [];

function check(value: string, maximum: number, [regex, message]: readonly [RegExp, string]): readonly string[] {
  const tooLong = value.length > maximum;
  const malformed = !regex.test(value);
  if (!tooLong && !malformed) return NONE;
  return [...(tooLong ? [maxLengthError(maximum)] : []), ...(malformed ? [message] : [])];
}

/** apimachinery util/validation IsDNS1123Label */
export function isDNS1123Label(value: string): readonly string[] {
  // A valid subdomain that is no label can only have dots in it.
  return check(value, 63, [LABEL_REGEX, value.includes('.') && SUBDOMAIN_REGEX.test(value) ? 'must not contain dots' : LABEL_ERROR]);
}

/** apimachinery util/validation IsDNS1123Subdomain */
export function isDNS1123Subdomain(value: string): readonly string[] {
  return check(value, 253, [SUBDOMAIN_REGEX, SUBDOMAIN_ERROR]);
}

/** apimachinery util/validation IsDNS1035Label */
export function isDNS1035Label(value: string): readonly string[] {
  return check(value, 63, [LABEL_1035_REGEX, LABEL_1035_ERROR]);
}

/** apimachinery util/validation IsValidLabelValue */
export function isValidLabelValue(value: string): readonly string[] {
  return check(value, 63, [LABEL_VALUE_REGEX, LABEL_VALUE_ERROR]);
}

/** apimachinery util/validation IsQualifiedName: `name`, or `domain/name`. */
export function isQualifiedName(value: string): readonly string[] {
  const slash = value.indexOf('/');
  if (slash < 0) return qualifiedNamePart(value);
  if (value.indexOf('/', slash + 1) >= 0) {
    return [`a qualified name ${NAME_PART_ERROR} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const prefix = value.slice(0, slash);
  const prefixErrors =
    prefix === '' ? ['prefix part must be non-empty'] : isDNS1123Subdomain(prefix).map((message) => `prefix part ${message}`);
  const nameErrors = qualifiedNamePart(value.slice(slash + 1));
  return prefixErrors.length === 0 ? nameErrors : [...prefixErrors, ...nameErrors];
}

function qualifiedNamePart(name: string): readonly string[] {
  if (name.length > 0 && name.length <= 63 && QUALIFIED_NAME_REGEX.test(name)) return NONE;
  const errors: string[] = [];
  if (name === '') errors.push('name part must be non-empty');
  else if (name.length > 63) errors.push(`name part ${maxLengthError(63)}`);
  if (!QUALIFIED_NAME_REGEX.test(name)) errors.push(`name part ${NAME_PART_ERROR}`);
  return errors;
}

/** apimachinery util/validation IsConfigMapKey */
export function isConfigMapKey(value: string): readonly string[] {
  const errors = [...check(value, 253, [CONFIG_KEY_REGEX, CONFIG_KEY_ERROR])];
  if (value === '.') errors.push("must not be '.'");
  else if (value === '..') errors.push("must not be '..'");
  else if (value.startsWith('..')) errors.push("must not start with '..'");
  return errors;
}

/** apimachinery util/validation IsWildcardDNS1123Subdomain */
export function isWildcardDNS1123Subdomain(value: string): readonly string[] {
  const pattern = `\\*\\.${SUBDOMAIN}`;
  const error = regexError(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    pattern,
    '*.example.com',
  );
  return check(value, 253, [whole(pattern), error]);
}

/** apimachinery api/validation/path IsValidPathSegmentName: the rule for names of RBAC kinds. */
export function isValidPathSegmentName(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  if (!value.includes('/') && !value.includes('%')) return NONE;
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

/** apimachinery util/validation IsEnvVarName (relaxed: any printable ASCII but `=`). */
export function isRelaxedEnvVarName(value: string): readonly string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]+$/.test(value)
    ? NONE
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** apimachinery util/validation IsValidPortName */
export function isValidPortName(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 15) errors.push(maxLengthError(15));
  if (!/^[-a-z0-9]+$/.test(value)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** apimachinery util/validation IsValidPortNum */
export function isValidPortNumber(value: number): readonly string[] {
  return value >= 1 && value <= 65535 ? NONE : ['must be between 1 and 65535, inclusive'];
}

/** apimachinery util/validation IsInRange */
export function isInRange(value: number, minimum: number, maximum: number): readonly string[] {
  return value >= minimum && value <= maximum ? NONE : [`must be between ${minimum} and ${maximum}, inclusive`];
}

/** Turns a generateName into a name that the name rules can judge (apimachinery api/validation maskTrailingDash). */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
