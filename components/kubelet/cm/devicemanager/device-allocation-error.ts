/** Devices cannot be given; the message says why, as the kubelet words it. */
export class DeviceAllocationError extends Error {
  override name = 'DeviceAllocationError';
}
