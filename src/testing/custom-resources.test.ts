import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../api/object.ts';
import { configmaps, customresourcedefinitions } from '../api/resources.ts';
import { setControllerReference } from '../client/controller-reference.ts';
import { defineController } from '../client/controller-runtime.ts';
import { createOrUpdate } from '../client/create-or-update.ts';
import { customResource } from '../client/custom-resource.ts';
import { createTestCluster, type TestCluster } from './test-cluster.ts';

interface Website extends KubernetesObject {
  spec?: { text?: string; replicas?: number };
  status?: { served?: string };
}

const websites = customResource<Website>({ group: 'example.com', version: 'v1', resource: 'websites', kind: 'Website' });

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: websites.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: websites, singular: website, kind: Website, shortNames: [ws] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                text: { type: string, maxLength: 20 }
                replicas: { type: integer, default: 1 }
              x-kubernetes-validations:
                - rule: "!has(self.text) || self.text != 'forbidden'"
                  message: that text is not served
            status:
              type: object
              properties: { served: { type: string } }
`;

const website = (text: string): string => `
apiVersion: example.com/v1
kind: Website
metadata: { name: blog }
spec: { text: ${text} }
`;

/** Writes the text of each Website into a ConfigMap that it owns, and says so in its status. */
const publisher = defineController({
  name: 'publisher',
  for: websites,
  owns: [configmaps],
  reconcile: async (request, { client, reader }) => {
    const site = await reader.get(websites, request);
    if (!site?.spec?.text || site.metadata.deletionTimestamp) return;
    const wanted = { metadata: { ...request } };
    await createOrUpdate({ client, resource: configmaps, wanted }, (draft) => {
      draft.data = { text: site.spec?.text ?? '' };
      setControllerReference(site, draft);
    });
    if (site.status?.served === site.spec.text) return;
    await client.resource(websites).patch(request, { status: { served: site.spec.text } }, { type: 'merge', subresource: 'status' });
  },
});

async function started(): Promise<TestCluster> {
  const cluster = await createTestCluster({ nodes: 0, userControllers: [publisher] });
  const { code, stdout, stderr } = await cluster.kubectl(['apply', '-f', 'crd.yaml', '-f', 'blog.yaml'], {
    'crd.yaml': DEFINITION,
    'blog.yaml': website('hello'),
  });
  expect({ code, stdout, stderr }).toMatchObject({
    code: 0,
    stdout: ['customresourcedefinition.apiextensions.k8s.io/websites.example.com created', 'website.example.com/blog created'],
  });
  // The controller was there first, and asks again from time to time whether its resource is served.
  await cluster.eventually(async () => (await cluster.get(websites, 'blog'))?.status?.served === 'hello');
  return cluster;
}

describe('a controller of a custom resource', () => {
  it('follows objects from the moment their definition is served', async () => {
    const cluster = await started();
    const blog = await cluster.get(websites, 'blog');
    expect(blog?.spec).toEqual({ text: 'hello', replicas: 1 });
    expect(blog?.status).toEqual({ served: 'hello' });
    expect((await cluster.get(configmaps, 'blog'))?.data).toEqual({ text: 'hello' });
    await cluster.kubectl(['apply', '-f', 'blog.yaml'], { 'blog.yaml': website('bye') });
    await cluster.eventually(async () => (await cluster.get(configmaps, 'blog'))?.data?.['text'] === 'bye');
    expect((await cluster.get(websites, 'blog'))?.metadata.generation).toBe(2);
  });

  it('is spared what the schema does not allow', async () => {
    const cluster = await started();
    const { code, stderr } = await cluster.kubectl(['apply', '-f', 'blog.yaml'], { 'blog.yaml': website('forbidden') });
    expect(code).toBe(1);
    expect(stderr.join('\n')).toContain('spec: Invalid value: "object": that text is not served');
  });

  it('sees its objects go with their definition, and the garbage collector what they owned', async () => {
    const cluster = await started();
    // The garbage collector asks for new kinds from time to time.
    await cluster.advance(60_000);
    await cluster.kubectl(['delete', 'ws', 'blog']);
    await cluster.eventually(async () => (await cluster.get(configmaps, 'blog')) === undefined);
    await cluster.delete(customresourcedefinitions, 'websites.example.com');
    await cluster.waitUntilGone(customresourcedefinitions, 'websites.example.com');
    const { stderr } = await cluster.kubectl(['get', 'websites']);
    expect(stderr).toEqual(['error: the server doesn\'t have a resource type "websites"']);
  });
});
