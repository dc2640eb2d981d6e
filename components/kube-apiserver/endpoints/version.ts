/** apimachinery pkg/version.Info of the release whose behaviour is modelled. */
export function versionInfo(): Record<string, string> {
  return {
    major: '1',
    minor: '34',
    emulationMajor: '1',
    emulationMinor: '34',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '33',
    gitVersion: 'v1.34.3',
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '2025-12-09T14:59:13Z',
    goVersion: 'go1.24.11',
    compiler: 'gc',
    platform: 'linux/amd64',
  };
}
