/** What a name in the cluster's zone asks for: plugin/kubernetes/parse.go recordRequest. Parts that the name does not have are ''. */
export interface RecordRequest {
  readonly port: string;
  readonly protocol: string;
  readonly endpoint: string;
  /** For a pod: its address with dashes. */
  readonly service: string;
  readonly namespace: string;
  readonly podOrSvc: '' | 'pod' | 'svc';
}

const APEX: RecordRequest = { port: '', protocol: '', endpoint: '', service: '', namespace: '', podOrSvc: '' };

/**
 * Takes a name apart. Undefined for one that cannot be of any object.
 * plugin/kubernetes/parse.go parseRequest
 * @param base the name without the zone and without a dot at the end, in lower case
 */
export function parseRequest(base: string): RecordRequest | undefined {
  if (base === '' || base === 'svc' || base === 'pod') return APEX;
  const labels = base.split('.');
  const podOrSvc = labels.pop();
  if (podOrSvc !== 'pod' && podOrSvc !== 'svc') return undefined;
  const namespace = labels.pop() ?? '';
  const service = labels.pop() ?? '';
  const [first = '', second = ''] = labels;
  const request = { ...APEX, podOrSvc, namespace, service } as const;
  if (labels.length === 0) return request;
  if (labels.length === 1) return { ...request, endpoint: first };
  return labels.length === 2 ? { ...request, port: first.replace(/^_/, ''), protocol: second.replace(/^_/, '') } : undefined;
}
