import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../../../src/api/kinds/networking-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isValidPortName, isValidPortNumber } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { maskIP, type ParsedCidr, parseCidr } from '../../../../src/api/validation/ip.ts';
import { cidrWarnings } from '../ip-warnings.ts';
import type { KindRules } from '../kind-strategy.ts';
import { CIDR_ERROR, labelSelector, oneOf, report, withoutLeadingZeros } from '../validation.ts';
import { setDefaultsNetworkPolicy } from './defaults.ts';

/** kubernetes pkg/registry/networking/networkpolicy */
export const networkPolicyRules: KindRules<NetworkPolicy> = {
  defaults: setDefaultsNetworkPolicy,
  generation: true,
  warnings: warningsOf,
  validate: ({ spec }) => {
    const errors: FieldError[] = [];
    labelSelector(errors, 'spec.podSelector', spec?.podSelector);
    for (const [index, { ports, from }] of (spec?.ingress ?? []).entries())
      validateRule(errors, `spec.ingress[${index}]`, { ports, peers: from, name: 'from' });
    for (const [index, { ports, to }] of (spec?.egress ?? []).entries())
      validateRule(errors, `spec.egress[${index}]`, { ports, peers: to, name: 'to' });
    const types = spec?.policyTypes ?? [];
    if (types.length > 2) errors.push(invalid('spec.policyTypes', types, 'may not specify more than two policyTypes'));
    else
      for (const [index, type] of types.entries())
        if (type !== 'Ingress' && type !== 'Egress') errors.push(notSupported(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']));
    return errors;
  },
};

function warningsOf({ spec }: NetworkPolicy): string[] {
  const blocks: [string, IPBlock | undefined][] = [
    ...(spec?.ingress ?? []).flatMap(({ from }, index) =>
      (from ?? []).map(({ ipBlock }, peer): [string, IPBlock | undefined] => [`spec.ingress[${index}].from[${peer}]`, ipBlock]),
    ),
    ...(spec?.egress ?? []).flatMap(({ to }, index) =>
      (to ?? []).map(({ ipBlock }, peer): [string, IPBlock | undefined] => [`spec.egress[${index}].to[${peer}]`, ipBlock]),
    ),
  ];
  return blocks.flatMap(([path, block]) => [
    ...cidrWarnings(`${path}.ipBlock.cidr`, block?.cidr ?? ''),
    ...(block?.except ?? []).flatMap((part, index) => cidrWarnings(`${path}.ipBlock.except[${index}]`, part)),
  ]);
}

interface Rule {
  readonly ports: readonly NetworkPolicyPort[] | undefined;
  readonly peers: readonly NetworkPolicyPeer[] | undefined;
  readonly name: string;
}

function validateRule(errors: FieldError[], path: string, { ports, peers, name }: Rule): void {
  for (const [index, port] of (ports ?? []).entries()) validatePort(errors, `${path}.ports[${index}]`, port);
  for (const [index, peer] of (peers ?? []).entries()) validatePeer(errors, `${path}.${name}[${index}]`, peer);
}

/** kubernetes pkg/apis/networking/validation ValidateNetworkPolicyPort */
function validatePort(errors: FieldError[], path: string, { protocol, port, endPort }: NetworkPolicyPort): void {
  oneOf(errors, { path: `${path}.protocol`, value: protocol }, ['TCP', 'UDP', 'SCTP']);
  if (port === undefined) {
    if (endPort !== undefined) errors.push(invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is not specified'));
    return;
  }
  if (typeof port === 'string') {
    if (endPort !== undefined) errors.push(invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is non-numeric'));
    report(errors, { path: `${path}.port`, value: port }, isValidPortName(port));
    return;
  }
  report(errors, { path: `${path}.port`, value: port }, isValidPortNumber(port));
  if (endPort === undefined) return;
  if (endPort < port) errors.push(invalid(`${path}.endPort`, port, 'must be greater than or equal to `port`'));
  report(errors, { path: `${path}.endPort`, value: endPort }, isValidPortNumber(endPort));
}

/** kubernetes pkg/apis/networking/validation ValidateNetworkPolicyPeer */
function validatePeer(errors: FieldError[], path: string, { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer): void {
  labelSelector(errors, `${path}.podSelector`, podSelector);
  labelSelector(errors, `${path}.namespaceSelector`, namespaceSelector);
  if (ipBlock) validateBlock(errors, `${path}.ipBlock`, ipBlock);
  const others = Number(podSelector !== undefined) + Number(namespaceSelector !== undefined);
  if (!ipBlock && others === 0) errors.push(required(path, 'must specify a peer'));
  else if (ipBlock && others > 0) errors.push(forbidden(path, 'may not specify both ipBlock and another peer'));
}

function validateBlock(errors: FieldError[], path: string, { cidr, except }: IPBlock): void {
  if (!cidr) {
    errors.push(required(`${path}.cidr`));
    return;
  }
  const whole = parseCidr(withoutLeadingZeros(cidr));
  if (!whole) {
    errors.push(invalid(`${path}.cidr`, cidr, CIDR_ERROR));
    return;
  }
  for (const [index, text] of (except ?? []).entries()) {
    const part = parseCidr(withoutLeadingZeros(text));
    if (!part) errors.push(invalid(`${path}.except[${index}]`, text, CIDR_ERROR));
    else if (!isStrictSubset(part, whole)) errors.push(invalid(`${path}.except[${index}]`, text, 'must be a strict subset of `cidr`'));
  }
}

function isStrictSubset(inner: ParsedCidr, outer: ParsedCidr): boolean {
  if (inner.ip.version !== outer.ip.version || inner.prefix <= outer.prefix) return false;
  return maskIP(inner.ip, outer.prefix).value === maskIP(outer.ip, outer.prefix).value;
}
