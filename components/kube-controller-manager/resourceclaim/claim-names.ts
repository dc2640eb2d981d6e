/** A generated name may have so many characters before its random end. */
const MAX_BASE_LENGTH = 57;

/** Where the generated name of a pod's claim begins; long ones are cut, both parts in proportion. pkg/controller/resourceclaim/controller.go handleClaim */
export function claimGenerateName(podName: string, entry: string): string {
  const whole = `${podName}-${entry}-`;
  if (whole.length <= MAX_BASE_LENGTH) return whole;
  const cut = (text: string): string => text.slice(0, Math.floor((text.length * MAX_BASE_LENGTH) / whole.length));
  return `${cut(podName)}-${cut(entry)}`;
}
