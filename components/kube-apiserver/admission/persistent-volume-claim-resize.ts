import type { PersistentVolumeClaim } from '../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { storageclasses } from '../../../src/api/resources.ts';
import type { AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';

/** plugin/pkg/admission/storage/persistentvolume/resize */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  resources: ['persistentvolumeclaims'],
  validate: (attributes) => {
    const { context, operation, object, oldObject } = attributes;
    if (operation !== 'UPDATE' || context.subresource) return undefined;
    const claim = object as PersistentVolumeClaim;
    const old = oldObject as PersistentVolumeClaim;
    const wanted = parseQuantity(claim.spec?.resources?.requests?.['storage'] ?? '0');
    if (wanted.compare(parseQuantity(old.spec?.resources?.requests?.['storage'] ?? '0')) <= 0) return undefined;
    if (old.status?.phase !== 'Bound') throw admissionForbidden(attributes, 'Only bound persistent volume claims can be expanded');
    const className = claim.spec?.storageClassName;
    const found = className ? context.server.storage(storageclasses).get('', className) : undefined;
    if (found?.allowVolumeExpansion) return undefined;
    throw admissionForbidden(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  },
};
