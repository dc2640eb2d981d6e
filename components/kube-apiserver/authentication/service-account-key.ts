import { base64Url } from '../../../src/api/base64-url.ts';
import { encodedMessage, modularPower, verifiesRs256 as verifies } from '../../../src/api/rs256.ts';

const hex = (digits: string): bigint => BigInt(`0x${digits}`);

/** The key by which tokens of service accounts are signed: RSA of 2048 bits. It is the same in every cluster, and anybody can read it here. */
const KEY = {
  n: hex(
    '9eae8c5c24f29cef33681a5c61e7409d6335eb039ae32c68ee1ddb68f220fd3491cf628acd1b23fc69bfbc8237742029b1d64146c749c55ad33b52' +
      '29183e62da4966ec7653a88ae37782b6d0f99937db5b1bee27437b86f22076598203db0d89d9dbce01223d8bbdfe863a74ee766d92ed64e18ff55a' +
      '497dcd224814d04a7a8c86480fb6924d84899c8b857613928e270be5880116c60a781d62041a302ccb1caaf024b720e3071c78a38c5a081c6378ef' +
      '90fadc641a1a8382ac2eeefb789dadc94d0b5e67654ecf1950000491ba37dfe3659ecbab463e304fb47bdbc375e8dfbca3251ea12e24e2e90acc85' +
      '5fb680dba32752e03c98b56d463ab4b87a9f1d5b',
  ),
  p: hex(
    'd7b6c6d82e8a4527ae93682beb1cf7a661878971c2754db1c68e76952383940a68cc2fe688aed600a5c99b1375bb76f46e8b06eb2c4a307b49671f' +
      'ca8ef27f6f38ae3c938bd6c08e868b778976da14d23172b8131fc5541ea7dc8ab6ed5e775efdfc791c73199b41bfe993690f1e9685c642c23819a8' +
      '6bb2a45cae6a4e8c81b1',
  ),
  q: hex(
    'bc5114c53a5dc9b1d25ed58164a40a7c9e534bf585e0929b237cddbfc7c647a2466ce5af799d63a059d1dcec17c40d655ef0270817eac43342bb10' +
      '57fbb490c91d2b13b02af6624b0740a47a11f506bd23c0009ae6633a6d48e17c367888da28b6e70642ae8adeb92af31f0b3b9426b53195ebf02d4c' +
      '6f89571e58ba5e3426cb',
  ),
  dp: hex(
    '287145207cc141abe9e80b0cc8dcba75802d881042f3f9280e60e14c9ec6e97776246a0a9faf9fc1a9537df68d0923893a3c6884a8de13eed95933' +
      '35a7cd41251a0c58a11503a340556b4a73044c68c0ebb2655e7883677d03ddae481382b580a2bfb5f9267f33838536868398e914316a7553b26ee5' +
      '0ba4077ab4dc8b737e51',
  ),
  dq: hex(
    '4f55f1642df4b9365b246cda7865cbad389e6b0fe2f8fb8ab466b49d4932b5971e085eb3908ec81c13fb2011aee97fa3475df173ad6fd07cb00e53' +
      '125e0e7238e83aefae764b1a99f5523c78d8fbdb7cef84c23c7ff729f444920a5c8067575173ccdc8c57305628b8797888a8eeff67b29e30aa1ccb' +
      '68e9f973e5798e9a7605',
  ),
  qInv: hex(
    'ae1493751fb68bc8b398f82b0901ee39f1b3da704155a076a1f8365c80a18df87e33aa79652b6ec7c41ce6ce916b430b9daf466e5d93cd4a2edb09' +
      '92fddc108a089f0d4c1bb92d4939423e235e85172113b94b46fbd728eec0b51d6737af7d2f245b4da1ca0fcc4fd5ca7b6696d58cc41ca19b496f8a' +
      '840cc7eb3d114c2928e2',
  ),
};
const BYTES = 256;

/** The name of the key: SHA-256 of its public half in DER. pkg/serviceaccount keyIDFromPublicKey */
export const KEY_ID = 'BKl6kEQbSIIpDwXVyg9VkcgytEQCZdsxu3t9iX6FZkI';

/** The public half, as a JSON Web Key. pkg/serviceaccount jwkFromPublicKey */
export const PUBLIC_KEY = { use: 'sig', kty: 'RSA', kid: KEY_ID, alg: 'RS256', n: base64Url(bytesOf(KEY.n)), e: 'AQAB' } as const;

/** The signature of a text, RS256 of RFC 7518: RSASSA-PKCS1-v1_5 with SHA-256. */
export function signRs256(text: string): string {
  const message = encodedMessage(text, BYTES);
  // By the Chinese remainder theorem: four times as fast as with the private exponent.
  const atP = modularPower({ base: message, exponent: KEY.dp, modulus: KEY.p });
  const atQ = modularPower({ base: message, exponent: KEY.dq, modulus: KEY.q });
  const difference = (KEY.qInv * (atP - atQ)) % KEY.p;
  return base64Url(bytesOf(atQ + (difference < 0n ? difference + KEY.p : difference) * KEY.q));
}

/** Whether the signature is that of the text. */
export function verifiesRs256(text: string, signature: string): boolean {
  return verifies(text, signature, PUBLIC_KEY);
}

function bytesOf(value: bigint): Uint8Array {
  const digits = value.toString(16).padStart(BYTES * 2, '0');
  return Uint8Array.from({ length: BYTES }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16));
}
