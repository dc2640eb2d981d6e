/**
 * The certificate of the cluster's authority (CN=kubernetes), which the real process reads from --root-ca-file and --cluster-signing-cert-file. It is the same in
 * every cluster here.
 */
export const ROOT_CA = `-----BEGIN CERTIFICATE-----
MIIBdDCCARqgAwIBAgIBATAKBggqhkjOPQQDAjAVMRMwEQYDVQQDDAprdWJlcm5l
dGVzMCAXDTIwMDEwMTAwMDAwMFoYDzIwOTkxMjMxMDAwMDAwWjAVMRMwEQYDVQQD
DAprdWJlcm5ldGVzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEiteQh1jayduG
lGLW3GuVYRydRzJ6XDiVOW5StCspd+dn+fFZTlkznyfmFPvqNavbXNIobgp/Oxo7
UZUxcE5mW6NZMFcwDgYDVR0PAQH/BAQDAgKkMA8GA1UdEwEB/wQFMAMBAf8wHQYD
VR0OBBYEFBn/pd+hpi4bnyiKzfc1LejiDs67MBUGA1UdEQQOMAyCCmt1YmVybmV0
ZXMwCgYIKoZIzj0EAwIDSAAwRQIgQ6bxaaL9r9gUiRPjrqolnJEJeMB/DQBlE4L7
7ESTyDICIQDL3/Ohcimru3kFjfFF/SOeETL0dsnJqCy172tO8wmGDw==
-----END CERTIFICATE-----
`;

/** The private number of the authority, --cluster-signing-key-file: the SHA-256 of "the authority of every bottleship cluster". It is no secret, and protects nothing. */
export const ROOT_CA_KEY = 'aeace7149cac9167810c27a2ad5b8c272c8f22a06bc365ca9d69e8385fe0ad74';
