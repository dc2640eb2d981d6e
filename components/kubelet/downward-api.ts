import type { Container, Pod, ResourceFieldSelector } from '../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../src/api/quantity.ts';

export interface RuntimeFields {
  readonly podIps: readonly string[];
  readonly hostIp: string;
  readonly nodeName: string;
}

const formatMap = (map: Record<string, string> | undefined): string =>
  Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');

/** pkg/fieldpath ExtractFieldPathAsString and kubelet_pods.go podFieldSelectorRuntimeValue */
export function fieldValue(pod: Pod, fieldPath: string, runtime: RuntimeFields): string {
  const subscript = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(fieldPath);
  if (subscript) return pod.metadata[subscript[1] as 'labels' | 'annotations']?.[subscript[2] ?? ''] ?? '';
  switch (fieldPath) {
    case 'metadata.name':
      return pod.metadata.name ?? '';
    case 'metadata.namespace':
      return pod.metadata.namespace ?? '';
    case 'metadata.uid':
      return pod.metadata.uid ?? '';
    case 'metadata.labels':
      return formatMap(pod.metadata.labels);
    case 'metadata.annotations':
      return formatMap(pod.metadata.annotations);
    case 'spec.nodeName':
      return runtime.nodeName;
    case 'spec.serviceAccountName':
      return pod.spec?.serviceAccountName ?? '';
    case 'status.hostIP':
    case 'status.hostIPs':
      return runtime.hostIp;
    case 'status.podIP':
      return runtime.podIps[0] ?? '';
    case 'status.podIPs':
      return runtime.podIps.join(',');
    default:
      return '';
  }
}

/** pkg/api/v1/resource ExtractContainerResourceValue: limits that are not set stand for what the node has. */
export function resourceFieldValue(
  container: Container,
  { resource, divisor }: ResourceFieldSelector,
  nodeAllocatable: Readonly<Record<string, string>>,
): string {
  const [kind = '', name = ''] =
    resource.split('.', 2).length === 2 ? [resource.slice(0, resource.indexOf('.')), resource.slice(resource.indexOf('.') + 1)] : [];
  const list = kind === 'limits' ? container.resources?.limits : container.resources?.requests;
  const quantity = parseQuantity(list?.[name] ?? (kind === 'limits' ? (nodeAllocatable[name] ?? '0') : '0'));
  const unit = parseQuantity(divisor && divisor !== '0' ? divisor : '1');
  return name === 'cpu' ? String(Math.ceil(quantity.milliValue() / unit.milliValue())) : String(Math.ceil(quantity.value() / unit.value()));
}
