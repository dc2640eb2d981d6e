import { newBadRequest, newInvalid } from '../../../../src/api/status-error.ts';
import { newInTreeRegistry } from '../../plugins/registry.ts';
import { CONFIGURATION_FIELDS, PLUGIN_ARGS_FIELDS, unknownFields } from './known-fields.ts';
import { completeConfiguration, type KubeSchedulerConfiguration } from './kube-scheduler-configuration.ts';
import { validateKubeSchedulerConfiguration } from './validation.ts';

const GROUP = 'kubescheduler.config.k8s.io';

/** Completes a configuration that a program has put together: only files must say what they are. */
export function withTypeMeta(config: KubeSchedulerConfiguration): KubeSchedulerConfiguration {
  return { apiVersion: `${GROUP}/v1`, kind: 'KubeSchedulerConfiguration', ...config };
}

/**
 * Takes what `--config` names, parsed from YAML or JSON: cmd/kube-scheduler/app/options/configfile.go loadConfig.
 * @param outOfTree names of plugins that are not part of Kubernetes
 * @throws ApiStatusError naming what is wrong with it
 * @example const config = loadConfig(parse(text));
 */
export function loadConfig(document: unknown, outOfTree: readonly string[] = []): KubeSchedulerConfiguration {
  if (typeof document !== 'object' || document === null)
    throw newBadRequest("couldn't decode as KubeSchedulerConfiguration: it is not an object");
  const { apiVersion = '', kind = '' } = document as { apiVersion?: string; kind?: string };
  if (apiVersion !== `${GROUP}/v1`) throw newBadRequest(`no kind "${kind}" is registered for version "${apiVersion}"`);
  if (kind !== 'KubeSchedulerConfiguration') throw newBadRequest(`couldn't decode as KubeSchedulerConfiguration, got ${kind}`);
  const unknown = unknownFields(document, CONFIGURATION_FIELDS);
  const config = document as KubeSchedulerConfiguration;
  config.profiles?.forEach(({ pluginConfig = [] }, i) => {
    pluginConfig.forEach(({ name, args }, j) => {
      const fields = PLUGIN_ARGS_FIELDS[name];
      const path = `profiles[${i}].pluginConfig[${j}].args`;
      if (fields) unknown.push(...unknownFields(args, { ...fields, apiVersion: true, kind: true }, path));
    });
  });
  if (unknown.length) throw newBadRequest(`strict decoding error: ${unknown.join(', ')}`);
  const errors = validateKubeSchedulerConfiguration(completeConfiguration(config), {
    known: new Set([...newInTreeRegistry().keys(), ...outOfTree]),
    outOfTree: new Set(outOfTree),
  });
  if (errors.length) throw newInvalid({ group: GROUP, kind }, '', errors);
  return config;
}
