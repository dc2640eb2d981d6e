import { type AppsV1, createOrUpdate, defineController, resources, setControllerReference } from 'bottleship';

export const WEBSITE_LABEL = 'example.com/website';
export const STATUS_ANNOTATION = 'example.com/website-status';

/**
 * Serves each ConfigMap with the label `example.com/website`: its files by a Deployment of nginx, behind a Service of the same name. `data.replicas` says how
 * many (1 if absent). An annotation on the ConfigMap tells how far it is.
 */
export const websiteController = defineController({
  name: 'website',
  for: resources.configmaps,
  owns: [resources.deployments, resources.services],
  reconcile: async (request, { client, reader, recorder }) => {
    const website = await reader.get(resources.configmaps, request);
    if (!website?.metadata.labels || !(WEBSITE_LABEL in website.metadata.labels) || website.metadata.deletionTimestamp) return;
    const wanted = { metadata: { ...request } };
    const labels = { [WEBSITE_LABEL]: request.name };

    const { object: deployment, result } = await createOrUpdate({ client, resource: resources.deployments, wanted }, (draft) => {
      const before = draft.spec?.template.spec?.containers[0];
      const container = {
        ...before,
        name: 'nginx',
        image: 'nginx:1.27',
        volumeMounts: [{ name: 'files', mountPath: '/usr/share/nginx/html' }],
      };
      draft.spec = {
        ...draft.spec,
        replicas: Number(website.data?.replicas ?? 1),
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { ...draft.spec?.template.spec, containers: [container], volumes: [{ name: 'files', configMap: { name: request.name } }] },
        },
      };
      setControllerReference(website, draft);
    });
    if (result === 'created') recorder.event(website, 'Normal', 'Published', `Created deployment ${request.name}`);

    await createOrUpdate({ client, resource: resources.services, wanted }, (draft) => {
      draft.spec = { ...draft.spec, selector: labels, ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 80 }] };
      setControllerReference(website, draft);
    });

    const status = statusOf(deployment);
    if (website.metadata.annotations?.[STATUS_ANNOTATION] === status) return;
    await client
      .resource(resources.configmaps)
      .patch(request, { metadata: { annotations: { [STATUS_ANNOTATION]: status } } }, { type: 'merge' });
  },
});

function statusOf({ spec, status }: AppsV1.Deployment): string {
  return `${status?.readyReplicas ?? 0} of ${spec?.replicas ?? 1} ready`;
}
