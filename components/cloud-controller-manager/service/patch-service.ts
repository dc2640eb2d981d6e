import { type Draft, produce } from 'immer';
import type { Service } from '../../../src/api/kinds/core-v1.ts';
import { services } from '../../../src/api/resources.ts';
import { schemaOf } from '../../../src/api/schema.ts';
import { createTwoWayMergePatch } from '../../../src/api/two-way-merge-patch.ts';
import type { Client } from '../../../src/client/client.ts';

/** Writes what `change` does to metadata and status, by a patch of the status subresource. k8s.io/cloud-provider service/helpers PatchService */
export async function patchService(client: Client, service: Service, change: (service: Draft<Service>) => void): Promise<void> {
  const patch = createTwoWayMergePatch(service, produce(service, change), schemaOf('core.v1.Service'));
  const { name = '', namespace = '' } = service.metadata;
  if (patch) await client.resource(services).patch({ name, namespace }, patch, { type: 'strategic', subresource: 'status' });
}
