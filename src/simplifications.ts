/** Where bottleship is simpler than the real thing, by component, in words for its users. `bottleship truth` prints it. */
export const SIMPLIFICATIONS: Readonly<Record<string, readonly string[]>> = {
  network: [
    'Messages between components take fixed times (request 1 ms, answer 1 ms, watch event 2 ms after the commit) unless a fault says otherwise.',
  ],
  'kube-scheduler': [
    'Scheduling a pod takes no time, and requests are not held back to 50 a second, so a thousand pods are placed in one moment.',
    'Filters run one node after another, so exactly as many nodes are looked at as are needed; the real one looks at a few more, in parallel.',
    'Devices of resource claims (dynamic resource allocation) are not allocated: a pod that has claims stays pending and says so.',
    'Scheduler extenders are not offered, nor plugins that are not part of Kubernetes.',
    'Volumes of in-tree drivers are not translated to CSI, so they do not count for the limits of a node.',
    'A pod that waits for its volumes is looked at each second for 60 seconds; after that its wait (10 minutes in all) keeps nobody waiting.',
  ],
};

/** The list as lines of text. */
export function simplificationLines(): string[] {
  return Object.entries(SIMPLIFICATIONS).flatMap(([component, items]) => [component, ...items.map((item) => `  - ${item}`)]);
}
