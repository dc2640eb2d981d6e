import type { Container, EnvVar, Pod } from '../../src/api/kinds/core-v1.ts';
import { decodeBase64 } from './base64.ts';
import { fieldValue, type RuntimeFields, resourceFieldValue } from './downward-api.ts';
import type { RunContainerOptions } from './kuberuntime/runtime-parts.ts';
import type { ObjectReader } from './object-reader.ts';
import type { ServiceEnvironment } from './service-environment.ts';

interface EnvironmentParts {
  readonly objects: ObjectReader;
  readonly services: ServiceEnvironment;
  readonly nodeAllocatable: () => Readonly<Record<string, string>>;
}

class EnvironmentProblem extends Error {
  override name = 'EnvironmentProblem';
}

/** pkg/kubelet/kubelet_pods.go makeEnvironmentVariables, with command and arguments expanded; or what is missing. */
export async function makeEnvironment(
  parts: EnvironmentParts,
  request: { readonly pod: Pod; readonly container: Container; readonly runtime: RuntimeFields },
): Promise<Omit<RunContainerOptions, 'mounts'> | { readonly error: string }> {
  const { pod, container } = request;
  const values = new Map<string, string>();
  try {
    await addEnvFrom(parts, request, values);
    const services = parts.services.of(pod);
    for (const variable of container.env ?? []) await addVariable(parts, request, { variable, values, services });
    for (const [name, value] of services) if (!values.has(name)) values.set(name, value);
  } catch (error) {
    if (!(error instanceof EnvironmentProblem)) throw error;
    return { error: error.message };
  }
  return {
    envs: [...values].map(([key, value]) => ({ key, value })),
    ...(container.command ? { command: container.command.map((text) => expand(text, values)) } : {}),
    ...(container.args ? { args: container.args.map((text) => expand(text, values)) } : {}),
  };
}

/** third_party/forked/golang/expansion Expand: `$(NAME)` of known names; `$$` stands for `$`. */
export function expand(text: string, values: ReadonlyMap<string, string>): string {
  if (!text.includes('$')) return text;
  return text.replace(/\$\$|\$\(([A-Za-z_][\w.-]*)\)/g, (whole, name: string | undefined) =>
    whole === '$$' ? '$' : (values.get(name ?? '') ?? whole),
  );
}

type Request = { readonly pod: Pod; readonly container: Container; readonly runtime: RuntimeFields };

async function addEnvFrom(parts: EnvironmentParts, { pod, container }: Request, values: Map<string, string>): Promise<void> {
  const namespace = pod.metadata.namespace ?? '';
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    if (configMapRef) {
      const object = await parts.objects.configMap(namespace, configMapRef.name ?? '');
      if (!object && !configMapRef.optional) throw new EnvironmentProblem(`configmap "${configMapRef.name}" not found`);
      for (const [key, value] of Object.entries(object?.data ?? {})) values.set(prefix + key, value);
    }
    if (secretRef) {
      const object = await parts.objects.secret(namespace, secretRef.name ?? '');
      if (!object && !secretRef.optional) throw new EnvironmentProblem(`secret "${secretRef.name}" not found`);
      for (const [key, value] of Object.entries(object?.data ?? {})) values.set(prefix + key, decodeBase64(value));
    }
  }
}

async function addVariable(
  parts: EnvironmentParts,
  request: Request,
  into: { variable: EnvVar; values: Map<string, string>; services: ReadonlyMap<string, string> },
): Promise<void> {
  const { variable, values, services } = into;
  if (!variable.valueFrom) {
    values.set(variable.name, expand(variable.value ?? '', new Map([...services, ...values])));
    return;
  }
  const value = await valueFrom(parts, request, variable.valueFrom);
  if (value !== undefined) values.set(variable.name, value);
}

async function valueFrom(
  parts: EnvironmentParts,
  { pod, container, runtime }: Request,
  source: NonNullable<EnvVar['valueFrom']>,
): Promise<string | undefined> {
  const namespace = pod.metadata.namespace ?? '';
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef) return fieldValue(pod, fieldRef.fieldPath, runtime);
  if (resourceFieldRef) {
    const named = pod.spec?.containers.find(({ name }) => name === resourceFieldRef.containerName);
    return resourceFieldValue(named ?? container, resourceFieldRef, parts.nodeAllocatable());
  }
  if (configMapKeyRef) {
    const { name = '', key, optional } = configMapKeyRef;
    const object = await parts.objects.configMap(namespace, name);
    if (!object && !optional) throw new EnvironmentProblem(`configmap "${name}" not found`);
    const value = object?.data?.[key];
    if (value === undefined && !optional) throw new EnvironmentProblem(`couldn't find key ${key} in ConfigMap ${namespace}/${name}`);
    return value;
  }
  if (secretKeyRef) {
    const { name = '', key, optional } = secretKeyRef;
    const object = await parts.objects.secret(namespace, name);
    if (!object && !optional) throw new EnvironmentProblem(`secret "${name}" not found`);
    const value = object?.data?.[key];
    if (value === undefined && !optional) throw new EnvironmentProblem(`couldn't find key ${key} in Secret ${namespace}/${name}`);
    return value === undefined ? undefined : decodeBase64(value);
  }
  return undefined;
}
