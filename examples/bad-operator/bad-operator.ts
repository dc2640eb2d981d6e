import { customResource, defineController, isConflict, type KubernetesObject, resources, setControllerReference } from 'bottleship';

export interface Widget extends KubernetesObject {
  spec: { size: number };
  status?: { phase?: string; seen?: number; observedGeneration?: number };
}

export const widgets = customResource<Widget>({ group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget' });

/** What not to do: each mistake here is one that reviews of real operators find again and again. The tests name the rule that finds it. */
export const badOperator = defineController<Widget>({
  name: 'bad-operator',
  for: widgets,
  owns: [resources.configmaps],
  reconcile: async (request, { client, reader, actor }) => {
    const widget = await reader.get(widgets, request);
    if (!widget) return;

    // secrets-cluster-wide: one password is needed, and the cache holds the secrets of everybody.
    const secrets = await reader.list(resources.secrets);
    const password = secrets.find(({ metadata }) => metadata.name === `${request.name}-password`);

    const config = { metadata: { ...request }, data: { size: String(widget.spec.size), hasPassword: String(password !== undefined) } };
    setControllerReference(widget, config);
    const existing = await reader.get(resources.configmaps, request);
    if (!existing) await client.resource(resources.configmaps).create(config);

    // status-through-main-resource: the status in it is dropped. hot-loop: the time differs at each look, so each look leads to the next.
    const lastSeen = String(actor.simulation.now);
    const annotations = { ...widget.metadata.annotations, 'example.com/last-seen': lastSeen };
    const changed = { ...widget, metadata: { ...widget.metadata, annotations }, status: { phase: 'Ready' } };
    try {
      const updated = await client.resource(widgets).update(changed);
      // missing-observed-generation: nobody can tell which spec this speaks of.
      await client.resource(widgets).updateStatus({ ...updated, status: { phase: 'Ready', seen: widget.spec.size } });
    } catch (error) {
      // conflict-ignored: whoever wrote in between has changed something that is not looked at now.
      if (!isConflict(error)) throw error;
    }
  },
});
