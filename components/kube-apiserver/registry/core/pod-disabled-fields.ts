import type { Container, PodSpec, PodTemplateSpec, Volume } from '../../../../src/api/kinds/core-v1.ts';

// Fields of features whose gate is off by default go without a word.

/** kubernetes pkg/api/pod dropDisabledFields; the spec itself when it has none of them. */
export function dropDisabledSpecFields(given: PodSpec): PodSpec {
  let spec = given;
  if (spec.hostnameOverride !== undefined) {
    const { hostnameOverride: _, ...rest } = spec;
    spec = rest;
  }
  if (spec.volumes?.some(isDisabledVolume)) spec = withoutDisabledVolumes(spec, spec.volumes);
  if (!spec.containers?.some(hasDisabledField) && !spec.initContainers?.some(hasDisabledField)) return spec;
  return {
    ...spec,
    containers: (spec.containers ?? []).map((container) => withoutDisabledFields(container, false)),
    ...(spec.initContainers ? { initContainers: spec.initContainers.map((container) => withoutDisabledFields(container, true)) } : {}),
  };
}

/** kubernetes pkg/api/pod DropDisabledTemplateFields, for kinds with a template at `spec.template`. */
export function dropDisabledTemplateFields<T extends { spec?: { template?: PodTemplateSpec } }>(object: T): T {
  const template = object.spec?.template;
  const now = template && dropDisabledFieldsOfTemplate(template);
  return now === template ? object : { ...object, spec: { ...object.spec, template: now } };
}

/** A template without such fields; the template itself when it has none. */
export function dropDisabledFieldsOfTemplate(template: PodTemplateSpec): PodTemplateSpec {
  const spec = template.spec && dropDisabledSpecFields(template.spec);
  return spec === template.spec ? template : { ...template, ...(spec ? { spec } : {}) };
}

function isDisabledVolume({ image, projected }: Volume): boolean {
  return image !== undefined || (projected?.sources?.some(isDisabledProjection) ?? false);
}

function isDisabledProjection({ clusterTrustBundle, podCertificate }: Projection): boolean {
  return clusterTrustBundle !== undefined || podCertificate !== undefined;
}

type Projection = NonNullable<NonNullable<Volume['projected']>['sources']>[number];

/** The gates ImageVolume, ClusterTrustBundleProjection and PodCertificateRequest: image volumes go with their mounts. */
function withoutDisabledVolumes(spec: PodSpec, volumes: readonly Volume[]): PodSpec {
  const gone = new Set(volumes.filter(({ image }) => image).map(({ name }) => name));
  const strip = (container: Container): Container =>
    container.volumeMounts?.some(({ name }) => gone.has(name))
      ? { ...container, volumeMounts: container.volumeMounts.filter(({ name }) => !gone.has(name)) }
      : container;
  return {
    ...spec,
    volumes: volumes.filter(({ name }) => !gone.has(name)).map(withoutDisabledProjections),
    containers: (spec.containers ?? []).map(strip),
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(strip) } : {}),
  };
}

function withoutDisabledProjections(volume: Volume): Volume {
  const { projected } = volume;
  if (!projected?.sources?.some(isDisabledProjection)) return volume;
  const sources = projected.sources.map(({ clusterTrustBundle: _1, podCertificate: _2, ...source }) => source);
  return { ...volume, projected: { ...projected, sources } };
}

function hasDisabledField({ restartPolicy, restartPolicyRules, lifecycle }: Container): boolean {
  return restartPolicy !== undefined || restartPolicyRules !== undefined || lifecycle?.stopSignal !== undefined;
}

function withoutDisabledFields(container: Container, init: boolean): Container {
  if (!hasDisabledField(container)) return container;
  const { restartPolicy, restartPolicyRules: _rules, lifecycle, ...rest } = container;
  const { stopSignal: _signal, ...hooks } = lifecycle ?? {};
  return {
    ...rest,
    ...(init && restartPolicy === 'Always' ? { restartPolicy } : {}),
    ...(Object.keys(hooks).length > 0 ? { lifecycle: hooks } : {}),
  };
}
