import type { Container, Pod, Probe } from '../../../src/api/kinds/core-v1.ts';

/** pkg/apis/core/v1 SetObjectDefaults_Pod, as far as a kubelet reads what is defaulted: nobody else does it for a pod that does not come from kube-apiserver. */
export function withDefaults(pod: Pod): Pod {
  const { spec } = pod;
  if (!spec) return pod;
  return {
    ...pod,
    spec: {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
      ...spec,
      containers: spec.containers.map(containerWithDefaults),
      ...(spec.initContainers ? { initContainers: spec.initContainers.map(containerWithDefaults) } : {}),
    },
  };
}

function containerWithDefaults(container: Container): Container {
  const { livenessProbe, readinessProbe, startupProbe, resources } = container;
  const requests = { ...resources?.limits, ...resources?.requests };
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(container.image ?? ''),
    ...container,
    resources: resources?.limits ? { ...resources, requests } : (resources ?? {}),
    ...(livenessProbe ? { livenessProbe: probeWithDefaults(livenessProbe) } : {}),
    ...(readinessProbe ? { readinessProbe: probeWithDefaults(readinessProbe) } : {}),
    ...(startupProbe ? { startupProbe: probeWithDefaults(startupProbe) } : {}),
  };
}

function probeWithDefaults(probe: Probe): Probe {
  return {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    ...probe,
    ...(probe.httpGet ? { httpGet: { path: '/', scheme: 'HTTP', ...probe.httpGet } } : {}),
  };
}

/** `Always` for the tag `latest`, also where it is not written. */
function pullPolicyOf(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return !name.includes('@') && (!name.includes(':') || name.endsWith(':latest')) ? 'Always' : 'IfNotPresent';
}
