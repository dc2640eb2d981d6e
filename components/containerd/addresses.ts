/** The number at the end of a node's name, else one made of its letters. */
function numberOf(nodeName: string): number {
  const digits = /(\d{1,5})$/.exec(nodeName)?.[1];
  if (digits) return Number(digits);
  let hash = 0;
  for (const character of nodeName) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 4096;
  return hash + 1024;
}

/** An address for a node that was given none: kind's network. @example addressOf('n1') // '172.18.0.2' */
export function addressOf(nodeName: string): string {
  const number = numberOf(nodeName) + 1;
  return `172.18.${Math.floor(number / 254) % 256}.${number % 254 || 254}`;
}

/** How many pods fit into the range that nodes have by default: kube-controller-manager --node-cidr-mask-size 24. */
const PODS_OF_A_24 = 250;

/** A range of pod addresses for a node that was given none: in a block of 1,024 out of 10.128.0.0/9, all of it if so many pods may run there. */
export function podCidrOf(nodeName: string, maxPods = 110): string {
  const block = numberOf(nodeName) % 8192;
  const whole = 128 * 65536 + block * 1024;
  return `10.${Math.floor(whole / 65536)}.${Math.floor(whole / 256) % 256}.0/${maxPods > PODS_OF_A_24 ? 22 : 24}`;
}
