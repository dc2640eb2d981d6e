import { type ComponentFlags, problemWithCloudControllers } from '../cluster/flags.ts';
import type { DocumentReader } from './document-reader.ts';

type Kind = 'duration' | 'text' | 'number' | 'boolean' | 'controllers';
type KnownFlags = {
  readonly [Component in keyof ComponentFlags]-?: Readonly<Record<keyof NonNullable<ComponentFlags[Component]>, Kind>>;
};

const KNOWN: KnownFlags = {
  'kube-apiserver': { 'enable-aggregator-routing': 'boolean', 'service-account-issuer': 'text' },
  'kube-controller-manager': {
    'horizontal-pod-autoscaler-sync-period': 'duration',
    'horizontal-pod-autoscaler-downscale-stabilization': 'duration',
    'horizontal-pod-autoscaler-cpu-initialization-period': 'duration',
    'horizontal-pod-autoscaler-initial-readiness-delay': 'duration',
    'horizontal-pod-autoscaler-tolerance': 'number',
  },
  'cloud-controller-manager': {
    'node-monitor-period': 'duration',
    'node-status-update-frequency': 'duration',
    'route-reconciliation-period': 'duration',
    'cluster-cidr': 'text',
    'configure-cloud-routes': 'boolean',
    controllers: 'controllers',
  },
  kubelet: { 'node-status-update-frequency': 'duration' },
};

/** Reads `flags: { kube-controller-manager: { horizontal-pod-autoscaler-sync-period: 5s } }`. @throws DocumentError */
export function readFlags(reader: DocumentReader): ComponentFlags {
  reader.onlyFields(Object.keys(KNOWN));
  const components = reader.fieldNames() as (keyof KnownFlags)[];
  return Object.fromEntries(components.map((component) => [component, readComponent(reader.field(component), KNOWN[component])]));
}

function readComponent(reader: DocumentReader, known: Readonly<Record<string, Kind>>): Record<string, unknown> {
  reader.onlyFields(Object.keys(known));
  return Object.fromEntries(reader.fieldNames().map((name) => [name, readValue(reader.field(name), known[name] ?? 'text')]));
}

function readValue(reader: DocumentReader, kind: Kind): unknown {
  switch (kind) {
    case 'number':
      return reader.number();
    case 'boolean':
      return reader.boolean();
    case 'controllers':
      return reader.items().map((item) => {
        const problem = problemWithCloudControllers([item.string()]);
        return problem ? item.fail(problem) : item.string();
      });
    case 'duration':
      reader.duration();
      return reader.text();
    case 'text':
      return reader.text();
  }
}
