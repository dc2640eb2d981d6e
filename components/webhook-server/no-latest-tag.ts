import type { AdmissionRequest, AdmissionVerdict } from '../../src/api/admission-review.ts';
import type { Pod } from '../../src/api/kinds/core-v1.ts';

/** Refuses Pods whose images may be another tomorrow: tag `latest`, or none. */
export function noLatestTag({ object: pod }: AdmissionRequest<Pod>): AdmissionVerdict {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const floating = [...initContainers, ...containers].filter(({ image = '' }) => isFloating(image));
  if (!floating.length) return {};
  const named = floating.map(({ name, image }) => `container ${JSON.stringify(name)} uses ${image}`).join(', ');
  return { denied: `images need a tag other than latest: ${named}` };
}

function isFloating(image: string): boolean {
  if (image.includes('@')) return false;
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest';
}
