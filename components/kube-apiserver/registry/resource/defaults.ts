import type { DeviceClaim, ResourceClaim, ResourceClaimTemplate } from '../../../../src/api/kinds/resource-v1.ts';

/** kubernetes pkg/apis/resource/v1 SetDefaults_ExactDeviceRequest and its siblings */
function setDefaultsDevices(devices: DeviceClaim | undefined): void {
  for (const { exactly, firstAvailable } of devices?.requests ?? []) {
    for (const request of [...(exactly ? [exactly] : []), ...(firstAvailable ?? [])]) {
      request.allocationMode ??= 'ExactCount';
      if (request.allocationMode === 'ExactCount') request.count ??= 1;
      for (const toleration of request.tolerations ?? []) toleration.operator ??= 'Equal';
    }
  }
}

export function setDefaultsResourceClaim({ spec }: ResourceClaim): void {
  setDefaultsDevices(spec?.devices);
}

export function setDefaultsResourceClaimTemplate({ spec }: ResourceClaimTemplate): void {
  setDefaultsDevices(spec?.spec?.devices);
}
