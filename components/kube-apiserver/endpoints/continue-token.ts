import { newBadRequest } from '../../../src/api/status-error.ts';

/** Where a list goes on: apiserver pkg/storage continueToken. */
export interface ContinueToken {
  readonly revision: number;
  /** First key, relative to the prefix of the list. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

/** apiserver pkg/storage.EncodeContinue: goes on after the key `last`. */
export function encodeContinue(last: string, revision: number): string {
  const json = JSON.stringify({ v: VERSION, rv: revision, start: `${last}\0` });
  return btoa(json).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** apiserver pkg/storage.DecodeContinue */
export function decodeContinue(token: string): ContinueToken {
  const { v, rv, start } = parseToken(token);
  if (v !== VERSION) throw invalid(`server does not recognize this encoded version ${v}`);
  if (typeof rv !== 'number' || rv === 0) throw invalid(`incorrect encoded start resourceVersion (version ${VERSION})`);
  if (typeof start !== 'string' || start === '') throw invalid(`encoded start key empty (version ${VERSION})`);
  return { revision: rv, start };
}

function parseToken(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    return JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    const offset = [...token].findIndex((char) => !/[A-Za-z0-9_-]/.test(char));
    throw invalid(offset < 0 ? 'invalid character' : `illegal base64 data at input byte ${offset}`);
  }
}

function invalid(reason: string): Error {
  return newBadRequest(`continue key is not valid: ${reason}`);
}
