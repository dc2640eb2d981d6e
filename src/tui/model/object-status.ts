import type { Pod } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import type { Words } from '../words/en.ts';
import { condition, field, isJsonObject, isTrue, listField, numberField, textField } from './field.ts';
import { isPodReady, podRestarts, podStatus } from './pod-status.ts';

/** How an object is, in a few words. `tone` says whether a person should worry. */
export interface ShortStatus {
  readonly text: string;
  readonly tone: 'good' | 'busy' | 'bad' | 'plain';
}

/** What is said besides the words of Kubernetes itself (Running, Bound, Terminating). */
type StatusWords = Words['statuses'];

type Describe = (object: KubernetesObject, words: StatusWords) => ShortStatus;

const BAD_PODS = /Err|BackOff|Failed|Crash|Evicted|Unknown|OOM|Invalid|NotReady/;

const BY_KIND: Readonly<Record<string, Describe>> = {
  Pod: describePod,
  Deployment: replicas,
  ReplicaSet: replicas,
  ReplicationController: replicas,
  StatefulSet: replicas,
  DaemonSet: (object, { ready }) =>
    ratio(ready, numberField(object, 'status', 'numberReady') ?? 0, numberField(object, 'status', 'desiredNumberScheduled') ?? 0),
  Job: describeJob,
  CronJob: (object, { suspended }) =>
    plain(`${textField(object, 'spec', 'schedule')}${field(object, 'spec', 'suspend') === true ? ` ${suspended}` : ''}`),
  Service: describeService,
  EndpointSlice: describeEndpointSlice,
  Node: describeNode,
  PersistentVolumeClaim: describePhase,
  PersistentVolume: describePhase,
  Namespace: (object) => (textField(object, 'status', 'phase') === 'Active' ? plain('Active') : describePhase(object)),
  ConfigMap: describeData,
  Secret: describeData,
  HorizontalPodAutoscaler: (object, words) =>
    ratio(words.replicas, numberField(object, 'status', 'currentReplicas') ?? 0, numberField(object, 'status', 'desiredReplicas') ?? 0),
  PodDisruptionBudget: (object, { mayEvict }) => plain(mayEvict(numberField(object, 'status', 'disruptionsAllowed') ?? 0)),
};

/** The short status that stands beside an object's name. */
export function shortStatus(object: KubernetesObject, { statuses }: Pick<Words, 'statuses'>): ShortStatus {
  const describe = BY_KIND[object.kind ?? ''];
  if (object.metadata.deletionTimestamp && object.kind !== 'Pod') return { text: 'Terminating', tone: 'busy' };
  return describe ? describe(object, statuses) : describeOther(object);
}

function plain(text: string): ShortStatus {
  return { text, tone: 'plain' };
}

function ratio(word: string, have: number, want: number): ShortStatus {
  return { text: `${word} ${have}/${want}`, tone: have === want ? 'good' : 'busy' };
}

function replicas(object: KubernetesObject, { ready }: StatusWords): ShortStatus {
  return ratio(ready, numberField(object, 'status', 'readyReplicas') ?? 0, numberField(object, 'spec', 'replicas') ?? 1);
}

function describePod(object: KubernetesObject, words: StatusWords): ShortStatus {
  const pod = object as Pod;
  const status = podStatus(pod);
  const restarts = podRestarts(pod);
  const node = pod.spec?.nodeName ? `${pod.spec.nodeName} ` : '';
  const waits = status === 'Running' && !isPodReady(pod);
  const text = `${node}${status}${waits ? ` ${words.notReady}` : ''}${restarts > 0 ? ` ${words.restarts(restarts)}` : ''}`;
  if (BAD_PODS.test(status)) return { text, tone: 'bad' };
  return { text, tone: (status === 'Running' && !waits) || status === 'Completed' ? 'good' : 'busy' };
}

function describeJob(object: KubernetesObject, words: StatusWords): ShortStatus {
  const want = numberField(object, 'spec', 'completions');
  const done = numberField(object, 'status', 'succeeded') ?? 0;
  if (isTrue(object, 'Failed')) return { text: `Failed (${textField(condition(object, 'Failed'), 'reason')})`, tone: 'bad' };
  return { text: `${words.done} ${want === undefined ? done : `${done}/${want}`}`, tone: isTrue(object, 'Complete') ? 'good' : 'busy' };
}

function describeService(object: KubernetesObject): ShortStatus {
  const ports = listField(object, 'spec', 'ports').map((port) => String(port.port));
  const address = textField(object, 'spec', 'clusterIP');
  return plain(address ? `${address}${ports.length > 0 ? `:${ports.join(',')}` : ''}` : textField(object, 'spec', 'type'));
}

function describeEndpointSlice(object: KubernetesObject, words: StatusWords): ShortStatus {
  const endpoints = listField(object, 'endpoints');
  const ready = endpoints.filter((endpoint) => field(endpoint, 'conditions', 'ready') !== false).length;
  return ratio(words.ready, ready, endpoints.length);
}

function describeNode(object: KubernetesObject, words: StatusWords): ShortStatus {
  const ready = textField(condition(object, 'Ready'), 'status');
  const cordoned = field(object, 'spec', 'unschedulable') === true ? ` ${words.cordoned}` : '';
  if (ready === 'True') return { text: `Ready${cordoned}`, tone: 'good' };
  return { text: `${ready === 'Unknown' ? 'Unknown' : 'NotReady'}${cordoned}`, tone: 'bad' };
}

function describePhase(object: KubernetesObject): ShortStatus {
  const phase = textField(object, 'status', 'phase') || 'Pending';
  return {
    text: phase,
    tone: phase === 'Bound' || phase === 'Available' ? 'good' : phase === 'Lost' || phase === 'Failed' ? 'bad' : 'busy',
  };
}

function describeData(object: KubernetesObject, words: StatusWords): ShortStatus {
  const data = field(object, 'data');
  const count = isJsonObject(data) ? Object.keys(data).length : 0;
  return plain(words.keys(count));
}

/** Kinds of no fixed meaning, custom resources among them: their Ready condition, or their phase. */
function describeOther(object: KubernetesObject): ShortStatus {
  const ready = condition(object, 'Ready') ?? condition(object, 'Available');
  if (ready)
    return ready.status === 'True'
      ? { text: textField(ready, 'type'), tone: 'good' }
      : { text: `Not${textField(ready, 'type')}`, tone: 'busy' };
  return plain(textField(object, 'status', 'phase') || textField(object, 'status', 'state'));
}
