import type { Finding } from './finding.ts';
import { grouped, type ObservedRequest, type ObservedRun } from './observed-run.ts';

/** Who holds all secrets of a cluster in memory is as good as its administrator. */
export function secretsClusterWide({ requests }: ObservedRun): Finding[] {
  const wrong = requests.filter(
    ({ verb, group, resource, namespace, name }) =>
      (verb === 'list' || verb === 'watch') && group === '' && resource === 'secrets' && namespace === '' && name === '',
  );
  const groups = grouped(wrong, ({ operator }) => operator);
  return groups.map((all): Finding => {
    const [{ operator }] = all as [ObservedRequest];
    return {
      rule: 'secrets-cluster-wide',
      operator,
      message: `reads the secrets of all namespaces (${[...new Set(all.map(({ verb }) => verb))].join(', ')})`,
      evidence: all.map(({ seq }) => seq),
      remedy:
        'Read single secrets by name, without a cache; or limit the cache to the namespaces that matter (namespace of defineManager), and the role with it.',
    };
  });
}
