/**
 * The certificate of the cluster's authority (CN=kubernetes), which the real process reads from --root-ca-file. It is the same in every cluster here, and
 * nobody holds its key: inside the process no connection is encrypted.
 */
export const ROOT_CA = `-----BEGIN CERTIFICATE-----
MIIBiDCCAS2gAwIBAgIUSfOqq1NKo4gSkSlTSGp70TqROsowCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKa3ViZXJuZXRlczAgFw0yMDAxMDEwMDAwMDBaGA8yMDk5MTIz
MTAwMDAwMFowFTETMBEGA1UEAwwKa3ViZXJuZXRlczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABMq+8shCsWK7NXm93FGvWZ8m/uLfOxvoiPpeMw9X494jfKo+Ig3C
jQx+oz/axjVGze8eG35ZBtld21ij8MM1f8SjWTBXMA4GA1UdDwEB/wQEAwICpDAP
BgNVHRMBAf8EBTADAQH/MBUGA1UdEQQOMAyCCmt1YmVybmV0ZXMwHQYDVR0OBBYE
FLGCQ0BHkB8LkD7i7hVAaP6ny+BUMAoGCCqGSM49BAMCA0kAMEYCIQCqtceJQ1AX
CT3bBBOlgfOR76IzsXvFq00BusZM+K4y0gIhAP82gNVmQ2N3j7pyfVLVqKSbaTVF
WnfEjO7H11loB6ge
-----END CERTIFICATE-----
`;
