/**
 * The certificate of the cluster's authority (CN=kubernetes), which the real process reads from --root-ca-file. It is the same in every cluster here, and
 * nobody holds its key: inside the process no connection is encrypted.
 */
export const ROOT_CA = `-----BEGIN CERTIFICATE-----
MIIBqDCCAU6gAwIBAgIUPxqcP0j1uTBheS7t7K7k6KHS5owwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKa3ViZXJuZXRlczAgFw0yNjExMzAxODMzMDJaGA8yMTI2MTEw
NjE4MzMwMlowFTETMBEGA1UEAwwKa3ViZXJuZXRlczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABPSORKgZy+FEs3HZQix8VfUO5mKSfi1u5ZTav9fVnclvBABVN5zZ
n6X+wE0zFN9ky/MKGwCDR3EmYgaEPJbsRZ+jejB4MB0GA1UdDgQWBBQWen5HkVRC
+lQlXoJTJUoMUhJ5hzAfBgNVHSMEGDAWgBQWen5HkVRC+lQlXoJTJUoMUhJ5hzAP
BgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICpDAVBgNVHREEDjAMggprdWJl
cm5ldGVzMAoGCCqGSM49BAMCA0gAMEUCIDtvvHSDq+6ypZYvlNjjsI7/jXXsK8p8
g8YRJvWA7l9zAiEAowEKLnzfQMxyEABpN/zOnuVFAoV4LhN0JzJguQ1WUl0=
-----END CERTIFICATE-----
`;
