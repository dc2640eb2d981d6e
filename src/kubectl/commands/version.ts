import { services } from '../../api/resources.ts';
import type { Command } from '../command.ts';
import { discoverVersions } from '../discovery.ts';
import { KubectlError } from '../kubectl-error.ts';
import { toJson, toYaml } from '../yaml-output.ts';

interface VersionInfo {
  readonly gitVersion: string;
}

const KUSTOMIZE = 'v5.7.1';

/** kubectl version: this kubectl is as old as the server, since both are the same program. */
export const version: Command = {
  flags: { client: { type: 'boolean' }, output: { type: 'string', short: 'o' } },
  async run({ raw, flags, args, out }) {
    if (args.length) throw new KubectlError(`error: extra arguments: [${args.join(' ')}]`);
    const server = JSON.parse(await raw('GET', '/version')) as VersionInfo;
    const output = flags.string('output');
    const onlyClient = flags.boolean('client');
    if (output === undefined) {
      out(`Client Version: ${server.gitVersion}`);
      out(`Kustomize Version: ${KUSTOMIZE}`);
      if (!onlyClient) out(`Server Version: ${server.gitVersion}`);
      return;
    }
    if (output !== 'json' && output !== 'yaml') throw new KubectlError("error: --output must be 'yaml' or 'json'");
    const all = { clientVersion: server, kustomizeVersion: KUSTOMIZE, ...(onlyClient ? {} : { serverVersion: server }) };
    out(output === 'json' ? toJson(all, 2) : toYaml(all));
  },
};

/** kubectl cluster-info: where the control plane is, and the services that call themselves part of it. */
export const clusterInfo: Command = {
  flags: {},
  async run({ client, args, out }) {
    if (args[0] === 'dump') throw new KubectlError('error: cluster-info dump is not offered here; use get -A -o yaml');
    const server = `https://${(await client.resource(services).get({ namespace: 'default', name: 'kubernetes' })).spec?.clusterIP}`;
    out(`Kubernetes control plane is running at ${server}`);
    const { items } = await client.resource(services).list({ labelSelector: 'kubernetes.io/cluster-service=true' });
    for (const { metadata, spec } of items) {
      const label = metadata.labels?.['kubernetes.io/name'] ?? metadata.name;
      const port = spec?.ports?.[0]?.name;
      out(
        `${label} is running at ${server}/api/v1/namespaces/${metadata.namespace}/services/${metadata.name}${port ? `:${port}` : ''}/proxy`,
      );
    }
    out('');
    out("To further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.");
  },
};

/** kubectl api-versions */
export const apiVersions: Command = {
  flags: {},
  async run({ client, args, out }) {
    if (args.length)
      throw new KubectlError(`error: unexpected arguments: [${args.join(' ')}]\nSee 'kubectl api-versions -h' for help and examples`);
    for (const each of await discoverVersions(client)) out(each);
  },
};
