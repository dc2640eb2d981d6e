import type { PersistentVolumeClaim } from '../../../src/api/kinds/core-v1.ts';
import type { Ingress } from '../../../src/api/kinds/networking-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { ingressclasses, storageclasses } from '../../../src/api/resources.ts';
import type { AdmissionPlugin } from './chain.ts';

/** Claims that name no class get the default one. plugin/pkg/admission/storage/storageclass/setdefault */
export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  resources: ['persistentvolumeclaims'],
  mutate: ({ context, operation, object }) => {
    if (operation !== 'CREATE' || context.subresource) return undefined;
    const claim = object as PersistentVolumeClaim;
    if (claim.spec?.storageClassName !== undefined || claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined)
      return undefined;
    const annotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
    const found = newestDefault(context.server.storage(storageclasses).list(), annotations);
    return found ? ({ ...claim, spec: { ...claim.spec, storageClassName: found.metadata.name } } as PersistentVolumeClaim) : undefined;
  },
};

/** The same for Ingresses. plugin/pkg/admission/network/defaultingressclass */
export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  resources: ['ingresses'],
  mutate: ({ context, operation, object }) => {
    if (operation !== 'CREATE' || context.subresource) return undefined;
    const ingress = object as Ingress;
    if (ingress.spec?.ingressClassName !== undefined || ingress.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined)
      return undefined;
    const found = newestDefault(context.server.storage(ingressclasses).list(), ['ingressclass.kubernetes.io/is-default-class']);
    return found ? ({ ...ingress, spec: { ...ingress.spec, ingressClassName: found.metadata.name } } as Ingress) : undefined;
  },
};

/** Of several defaults the newest counts, and of equally old ones the first by name. */
function newestDefault<T extends KubernetesObject>(classes: readonly T[], annotations: readonly string[]): T | undefined {
  const defaults = classes.filter(({ metadata }) => annotations.some((annotation) => metadata.annotations?.[annotation] === 'true'));
  return defaults.sort(
    (a, b) => compare(b.metadata.creationTimestamp, a.metadata.creationTimestamp) || compare(a.metadata.name, b.metadata.name),
  )[0];
}

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
