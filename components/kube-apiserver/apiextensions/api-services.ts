import type { APIService } from '../../../src/api/kinds/apiregistration-v1.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { apiservices } from '../../../src/api/resources.ts';
import { loopbackWrite } from '../loopback.ts';
import type { ServerCore } from '../server-core.ts';

const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';
const GROUP_PRIORITY = 1_000;
const VERSION_PRIORITY = 100;

/** Each served version of a custom group has an APIService of its own. kube-aggregator pkg/controllers/autoregister, crdRegistrationController */
export function syncAPIServices(server: ServerCore, about: readonly Resource[]): void {
  const storage = server.storage(apiservices);
  const groupVersions = new Map(about.map(({ group, version }) => [`${version}.${group}`, { group, version }]));
  for (const [name, { group, version }] of groupVersions) {
    const served = server.hasGroupVersion(group, version);
    const present = storage.get('', name);
    if (served && !present) loopbackWrite(server, apiService(server, { name, group, version }), { resource: apiservices, verb: 'create' });
    if (!served && present?.metadata.labels?.[AUTOMANAGED]) loopbackWrite(server, present, { resource: apiservices, verb: 'delete' });
  }
}

function apiService(server: ServerCore, { name, group, version }: { name: string; group: string; version: string }): APIService {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, uid: server.uids.uuid(), creationTimestamp: server.now, labels: { [AUTOMANAGED]: 'true' } },
    spec: { group, version, groupPriorityMinimum: GROUP_PRIORITY, versionPriority: VERSION_PRIORITY },
    status: {
      conditions: [
        {
          type: 'Available',
          status: 'True',
          lastTransitionTime: server.now,
          reason: 'Local',
          message: 'Local APIServices are always available',
        },
      ],
    },
  };
}
