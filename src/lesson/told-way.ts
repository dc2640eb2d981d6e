import { connectionText } from '../cluster/reached-by.ts';
import type { Visit, VisitResult } from '../cluster/service-network.ts';

const RULE = /^kube-proxy\/(\S+) /;

/** The way of a request in few lines: its stations, with the rules of a node's packet filter counted, and what came of it. */
export function toldWay(visit: Visit, result: VisitResult): string[] {
  const lines: string[] = [];
  let rules = 0;
  for (const [index, station] of result.way.entries()) {
    const node = RULE.exec(station)?.[1];
    if (node === undefined) {
      lines.push(station);
      continue;
    }
    rules++;
    if (RULE.exec(result.way[index + 1] ?? '')?.[1] === node) continue;
    lines.push(`kube-proxy/${node}: the packet passes ${rules} rules`);
    rules = 0;
  }
  return [...lines, connectionText(visit, result)];
}
