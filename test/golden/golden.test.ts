// Goal: what comes out of the simulator is what a real cluster did, write for write. Method: every recorded case of the suites below is played in process; those that
// are known to differ are listed with their reason, and a case on the list that matches fails too.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { GoldenCase } from './compare.mjs';
import { EQUAL_WHEN_RELAXED, KNOWN_DIFFERENCES, RECORDED_AFTER } from './known-differences.ts';
import { playCase } from './play-case.ts';

const SUITES = [
  'api-extension/admission',
  'api-extension/aggregation',
  'api-extension/crd',
  'api-extension/pod-security',
  'api-extension/policy-cel',
  'api-extension/quota',
  'api-extension/rbac',
  'api-extension/server-side-apply',
  'api-extension/webhook',
  'api-requests/deletion',
  'api-requests/errors',
  'api-requests/list',
  'api-requests/patch',
  'api-requests/subresources',
  'api-requests/table',
  'api-requests/watch',
  'api-requests/writes',
  'cluster/autoscaling',
  'cluster/certificates',
  'cluster/disruption',
  'cluster/gc',
  'cluster/namespace',
  'cluster/node',
  'cluster/quota',
  'cluster/service',
  'cluster/serviceaccount',
  'cluster/storage',
  'extensions/cloud-controller',
  'extensions/cni',
  'extensions/csi',
  'extensions/custom-scheduler',
  'extensions/operator',
  'extensions/device-plugin',
  'extensions/metrics-and-hpa',
  'kinds/apiservice',
  'kinds/certificatesigningrequest',
  'kinds/clusterrole',
  'kinds/clusterrolebinding',
  'kinds/configmap',
  'kinds/controllerrevision',
  'kinds/cronjob',
  'kinds/csidriver',
  'kinds/csinode',
  'kinds/csistoragecapacity',
  'kinds/customresourcedefinition',
  'kinds/daemonset',
  'kinds/deployment',
  'kinds/deviceclass',
  'kinds/endpoints',
  'kinds/endpointslice',
  'kinds/event',
  'kinds/flowschema',
  'kinds/generic',
  'kinds/horizontalpodautoscaler',
  'kinds/ingress',
  'kinds/ingressclass',
  'kinds/ipaddress',
  'kinds/job',
  'kinds/lease',
  'kinds/limitrange',
  'kinds/mutatingwebhookconfiguration',
  'kinds/namespace',
  'kinds/networkpolicy',
  'kinds/node',
  'kinds/persistentvolume',
  'kinds/persistentvolumeclaim',
  'kinds/pod',
  'kinds/poddisruptionbudget',
  'kinds/priorityclass',
  'kinds/prioritylevelconfiguration',
  'kinds/replicaset',
  'kinds/replicationcontroller',
  'kinds/resourceclaim',
  'kinds/resourceclaimtemplate',
  'kinds/resourcequota',
  'kinds/resourceslice',
  'kinds/role',
  'kinds/rolebinding',
  'kinds/runtimeclass',
  'kinds/secret',
  'kinds/service',
  'kinds/serviceaccount',
  'kinds/servicecidr',
  'kinds/statefulset',
  'kinds/storageclass',
  'kinds/subjectaccessreview',
  'kinds/tokenreview',
  'kinds/validatingadmissionpolicy',
  'kinds/validatingadmissionpolicybinding',
  'kinds/validatingwebhookconfiguration',
  'kinds/volumeattachment',
  'kinds/volumeattributesclass',
  'workloads/cronjob',
  'workloads/daemonset',
  'workloads/deployment',
  'workloads/job',
  'workloads/pod',
  'workloads/replicaset',
  'workloads/statefulset',
];

const here = dirname(fileURLToPath(import.meta.url));

describe.each(SUITES)('%s', (suite) => {
  const cases = JSON.parse(readFileSync(join(here, `${suite}.json`), 'utf8')) as Record<string, GoldenCase>;
  for (const [name, testCase] of Object.entries(cases)) {
    const differs = KNOWN_DIFFERENCES[`${suite}/${name}`];
    const relaxed = EQUAL_WHEN_RELAXED[`${suite}/${name}`];
    const after = cases[RECORDED_AFTER[`${suite}/${name}`] ?? ''];
    const note = differs ? ` (known to differ: ${differs})` : relaxed ? ` (relaxed: ${relaxed})` : '';
    it(`${name}: ${testCase.title}${note}`, async () => {
      const problems = await differences(testCase, { after });
      if (differs || relaxed) expect(problems, 'matches now: take it off the list').not.toEqual([]);
      else expect(problems).toEqual([]);
      if (relaxed) expect(await differences(testCase, { after, relaxed: true })).toEqual([]);
    });
  }
});

async function differences(testCase: GoldenCase, { after, relaxed = false }: { after: GoldenCase | undefined; relaxed?: boolean }): Promise<readonly string[]> {
  const played = await playCase(testCase, { relaxed, ...(after ? { after } : {}) }).catch((error: unknown) => ({ problems: [String(error)] }));
  return played.problems;
}
